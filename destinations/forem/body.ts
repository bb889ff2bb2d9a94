/** Rewrites a Markdown body for Forem's renderer. Everything else stays byte for byte. */
import { findImageAttributes } from '../../article/dialects/inline/image-attributes.ts';
import { isEscaped } from '../../article/dialects/spans.ts';
import { applyTextEdits, type TextEdit } from '../../article/markdown/edits.ts';
import type { DeliverableArticle, Notice } from '../../article/types.ts';
import type { Block, FenceBlock } from '../format/markdown/block-types.ts';
import { closeBody } from '../format/markdown/close-body.ts';
import { findLine, insertBefore, type Prose, RegionCursor, readProse, replaceProse } from '../format/markdown/prose.ts';
import { removeTitleHeading } from '../format/markdown/title-heading.ts';
import { LABEL } from './limits.ts';
import { escapeLiquid, escapeLoneBackticks, mayContainLiquid, writeKatex } from './liquid/escape-liquid.ts';
import { readSource } from './liquid/read-source.ts';

export function writeBody({ body: original, title }: DeliverableArticle): { body: string; losses: Notice[] } {
  const body = closeBody(original);
  const { source, blocks, formulas, nativeSpans, foreignMarkEdits } = readSource(body);
  const hasLiquid = mayContainLiquid(source);
  const dashes = rewriteRules(source, blocks);
  const edits: TextEdit[] = [
    ...removeTitleHeading(body, blocks, title),
    ...protectStart(source, blocks, title),
    ...dashes.edits,
    ...formulas.map((formula) => writeKatex(body, formula)),
    ...foreignMarkEdits,
    // Each span is replaced with itself, so that no edit inside of it applies.
    ...nativeSpans.map(({ start, end }) => ({ start, end, text: body.slice(start, end) })),
  ];
  const losses: Notice[] = [];
  const mathFences = new Set(formulas.map(({ fence }) => fence?.open.start));
  for (const block of blocks) {
    if (block.kind !== 'fence' || mathFences.has(block.open.start)) continue;
    const { content, isNested } = readFence(source, block);
    edits.push(...rewriteFence(source, block, content, hasLiquid));
    if (isNested && losses.length === 0) {
      const message = 'DEV may cut off this code, because it contains three backticks.';
      losses.push({ code: 'nested_fence', message, line: findLine(source, block.open.start) });
    }
  }
  const removed = new Map(foreignMarkEdits.flatMap(({ start, end, text }) => (text === '' ? [[start, end]] : [])));
  let firstLiquid: number | null = null;
  for (const prose of readProse(source, blocks)) {
    const escaped = hasLiquid ? escapeLiquid(prose) : [];
    // In an address, Liquid is percent-encoded and nothing is lost.
    firstLiquid ??= escaped.find(({ start, end }) => start === end)?.start ?? null;
    for (const edit of escaped) edits.push(edit);
    for (const edit of rewriteProse(source, prose, { hasLiquid, removed })) edits.push(edit);
  }
  if (firstLiquid !== null) losses.push(reportLiquid(findLine(source, firstLiquid)));
  return { body: applyTextEdits(body, edits), losses: [...losses, ...dashes.losses] };
}

/** An author may mean one of Forem's own Liquid tags, so the loss explains that it is not run. */
function reportLiquid(line: number): Notice {
  const message =
    'DEV shows this {{ … }} or {% … %} as written, because it renders only its own tags with a value that it accepts.';
  return { code: 'liquid_as_text', message, line };
}

/** Maps the start of each span that is removed from the body to its end. */
type Removed = ReadonlyMap<number, number>;

function rewriteProse(source: string, prose: Prose, found: { hasLiquid: boolean; removed: Removed }): TextEdit[] {
  return [
    ...(found.hasLiquid ? escapeLoneBackticks(prose) : []),
    ...breakMentions(prose),
    ...unwrapLines(source, prose, found.removed),
    ...dropImageAttributes(prose),
    ...writePipes(prose),
  ];
}

/** Forem renders an image with attributes after its address as text. */
function dropImageAttributes(prose: Prose): TextEdit[] {
  if (prose.block.kind === 'html' || prose.block.kind === 'indented') return [];
  const walk = new RegionCursor(prose.regions);
  return findImageAttributes(prose.text).flatMap(({ start, end }) =>
    walk.findRegion(start)?.kind === 'code' ? [] : [replaceProse(prose, start, end, '')],
  );
}

/**
 * Forem notifies the user behind `@name`. An invisible word joiner keeps it text; an escape or an
 * entity does not. Forem ignores mentions in code and addresses, so those stay.
 */
function breakMentions(prose: Prose): TextEdit[] {
  if (prose.block.kind === 'html' || prose.block.kind === 'indented') return [];
  const walk = new RegionCursor(prose.regions);
  return [...prose.text.matchAll(/(?<!\w)@(?=[a-z0-9_-])/gi)].flatMap(({ index }) =>
    walk.findRegion(index) === null ? [insertBefore(prose, index + 1, '\u2060')] : [],
  );
}

/** Joins wrapped lines: Forem shows every line break (`hard_wrap`). Intended breaks stay. */
function unwrapLines(source: string, prose: Prose, removed: Removed): TextEdit[] {
  const { block } = prose;
  if (block.kind !== 'paragraph' && block.kind !== 'heading') return [];
  const walk = new RegionCursor(prose.regions);
  const edits: TextEdit[] = [];
  let index = -1;
  for (const [at, line] of block.lines.entries()) {
    const next = block.lines[at + 1];
    index += line.end - line.start + 1;
    const text = source.slice(line.start, line.end);
    if (!next || walk.findRegion(index) !== null || isHardBreak(text)) continue;
    // The scanner reads link definitions as paragraphs, and each needs a line of its own.
    if (isDefinition(text) || isDefinition(source.slice(next.start, next.end))) continue;
    const end = line.start + text.trimEnd().length;
    // A space in place of a removed line would indent the next one into a fence or list above.
    const isRemoved = (removed.get(line.start) ?? 0) >= end;
    edits.push({ start: end, end: next.start, text: isRemoved ? '' : ' ' });
  }
  return edits;
}

function isHardBreak(line: string): boolean {
  return line.endsWith('  ') || isEscaped(line, line.length);
}

function isDefinition(line: string): boolean {
  return /^\[[^\]\n]{1,999}\]:/.test(line);
}

function readFence(source: string, fence: FenceBlock): { content: string; isNested: boolean } {
  const content = source.slice(fence.lines[0]?.start ?? 0, fence.lines.at(-1)?.end ?? 0);
  return { content, isNested: content.includes('```') };
}

/**
 * Forem escapes Liquid only in closed fences of three backticks, and reads the first three of a
 * longer fence as its marker. So tildes become backticks, and no fence is longer than necessary.
 */
function rewriteFence(source: string, fence: FenceBlock, content: string, hasLiquid: boolean): TextEdit[] {
  const present = source.slice(fence.open.start, fence.open.end);
  const needed = '`'.repeat(findMarkerLength(content));
  const isTilde = present.startsWith('~');
  const marker = isTilde || needed.length < present.length ? needed : present;
  const edits: TextEdit[] = [];
  if (marker !== present) {
    edits.push({ ...fence.open, text: marker });
    if (fence.close) edits.push({ ...fence.close, text: marker });
    // An info string may contain backticks after tildes, but not after backticks.
    const info = source.slice(fence.info.start, fence.info.end);
    if (info.includes('`')) edits.push({ ...fence.info, text: info.replaceAll('`', '') });
  }
  if (!fence.close && (isTilde || hasLiquid)) {
    edits.push({ start: fence.end, end: fence.end, text: `\n${fence.prefix}${marker}` });
  }
  return edits;
}

/** The length of a run of backticks that is longer than any inside, at least three. */
function findMarkerLength(content: string): number {
  let longest = 2;
  for (const [run] of content.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest + 1;
}

/** Forem would read a leading `---` as front matter, which overrides all that is sent. */
function protectStart(source: string, blocks: readonly Block[], title: string): TextEdit[] {
  const removed = removeTitleHeading(source, blocks, title)[0]?.end ?? 0;
  const rest = /\S/.exec(source.slice(removed));
  const start = removed + (rest?.index ?? 0);
  if (!source.startsWith('---', start)) return [];
  const rule = blocks.find((block) => block.kind === 'rule' && block.start === start);
  if (rule?.kind === 'rule') return [{ start, end: rule.end, text: '***' }];
  return [{ start, end: start, text: '\\' }];
}

const UNCHANGED_LINES = 2;

/**
 * Forem lengthens every `---` at the start of a line, from the third on, so that it is not read as
 * front matter. Rules and underlines are unaffected, so rules are written differently, and fewer
 * lines count. Reports the first line of code that Forem still changes: there is no escape.
 */
function rewriteRules(source: string, blocks: readonly Block[]): { edits: TextEdit[]; losses: Notice[] } {
  const dashes = [...source.matchAll(/^---/gm)].map(({ index }) => index);
  if (dashes.length <= UNCHANGED_LINES) return { edits: [], losses: [] };
  const code = new Set<number>();
  const rules = new Map<number, TextEdit>();
  for (const block of blocks) {
    if (block.kind === 'rule') rules.set(block.start, { start: block.start, end: block.end, text: '***' });
    else if (block.kind === 'fence' || block.kind === 'html') for (const { start } of block.lines) code.add(start);
  }
  if (!dashes.some((at) => code.has(at))) return { edits: [], losses: [] };
  const edits = dashes.flatMap((at) => rules.get(at) ?? []);
  const changed = dashes.filter((at) => !rules.has(at)).find((at, index) => index >= UNCHANGED_LINES && code.has(at));
  if (changed === undefined) return { edits, losses: [] };
  const message = `${LABEL} adds dashes to the third and every further line that begins with ---, also in code.`;
  return { edits, losses: [{ code: 'code_changed', message, line: findLine(source, changed) }] };
}

/**
 * Forem's renderer (Redcarpet) counts every pipe in a table's head as a column end, even after a
 * backslash or in code. In code it shows the backslash. So pipes in text become entities, and code
 * with a pipe becomes HTML with entities for all its signs.
 */
function writePipes(prose: Prose): TextEdit[] {
  if (prose.block.kind !== 'table' || !prose.text.includes('|')) return [];
  const walk = new RegionCursor(prose.regions);
  const inText = [...prose.text.matchAll(/\\\|/g)].flatMap(({ index }) =>
    walk.findRegion(index) === null ? [replaceProse(prose, index, index + 2, '&#124;')] : [],
  );
  const inCode = prose.regions.flatMap(({ kind, start, end }) => {
    const code = kind === 'code' ? prose.text.slice(start, end) : '';
    return code.includes('|') && !code.includes('endraw') ? [replaceProse(prose, start, end, writeCode(code))] : [];
  });
  return [...inText, ...inCode];
}

/** `span` includes its backticks, and one blank at each end if there is more than blanks. */
function writeCode(span: string): string {
  const inner = span.replace(/^`+|`+$/g, '');
  const code = /^ .*[^ ].* $/.test(inner) ? inner.slice(1, -1) : inner;
  const text = code.replaceAll('\\|', '|').replace(/[!-/:-@[-`{-~]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  // Liquid runs last and reads an entity as a brace.
  return /\{[{%]/.test(code) ? `<code>{% raw %}${text}{% endraw %}</code>` : `<code>${text}</code>`;
}
