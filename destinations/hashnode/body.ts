/** Rewrites a Markdown body for Hashnode. Everything else stays byte for byte. */
import { findEmbed } from '../../article/embeds/embed-by-name.ts';
import { applyTextEdits, type TextEdit } from '../../article/markdown/edits.ts';
import type { DeliverableArticle, Notice } from '../../article/types.ts';
import { scanBlocks } from '../format/markdown/blocks.ts';
import { closeBody } from '../format/markdown/close-body.ts';
import { findMarks, type LiquidTag, maskMarks } from '../format/markdown/marks.ts';
import { findLine, type Prose, RegionCursor, readProse, replaceProse } from '../format/markdown/prose.ts';
import { removeTitleHeading } from '../format/markdown/title-heading.ts';
import { flattenFootnotes } from './footnotes.ts';
import { writeFormula } from './formulas.ts';
import { LABEL } from './limits.ts';

export function writeBody({ body: original, title }: DeliverableArticle): { body: string; losses: Notice[] } {
  const body = closeBody(original);
  const marks = rewriteMarks(body);
  const { source, losses } = marks;
  const blocks = marks.edits.length === 0 ? marks.blocks : scanBlocks(source);
  const proses = [...readProse(source, blocks)];
  const edits = [...marks.edits, ...proses.flatMap(escapeEmbeds)];
  const footnotes = flattenFootnotes(body, blocks, proses);
  const text = applyTextEdits(body, [
    ...removeTitleHeading(body, blocks, title),
    ...edits,
    ...(footnotes?.edits ?? []),
  ]);
  if (!footnotes) return { body: text, losses };
  const line = findLine(source, blocks.find((block) => block.kind === 'footnote')?.start ?? 0);
  const message = 'Hashnode gets footnotes as a list of notes at the end.';
  return {
    body: `${text.trimEnd()}${footnotes.writeNotes(edits)}`,
    losses: [...losses, { code: 'footnotes_flattened', message, line }],
  };
}

/** Rewrites formulas, Liquid tags and foreign marks. `source` is the body with them masked. */
function rewriteMarks(body: string) {
  // Hashnode itself supports embeds and widgets.
  const { blocks, formulas, tags, foreign } = findMarks(body, { isNative: (mark) => /^%{1,2}\[/.test(mark) });
  const liquid = linkLiquid(body, tags);
  const written = formulas.map((formula) => ({ formula, edits: writeFormula(body, formula) }));
  const asCode = written.find(({ edits }) => edits === null);
  return {
    blocks,
    source: maskMarks(body, formulas, [...liquid.edits, ...foreign]),
    edits: [...liquid.edits, ...foreign, ...written.flatMap(({ edits }) => edits ?? [])],
    losses: asCode === undefined ? liquid.losses : [...liquid.losses, reportCode(findLine(body, asCode.formula.start))],
  };
}

function reportCode(line: number): Notice {
  return {
    code: 'math_as_code',
    message: `${LABEL} gets this formula as code, because it contains a dollar sign.`,
    line,
  };
}

/**
 * `%[address]` embeds a page and `%%[name]` shows a widget, but only on a line of its own is it
 * intended. Elsewhere the sign becomes an entity, so that text stays text and links stay links.
 */
function escapeEmbeds(prose: Prose): TextEdit[] {
  if (prose.block.kind === 'indented') return [];
  const walk = new RegionCursor(prose.regions);
  const intended = prose.block.kind === 'paragraph' ? findIntendedEmbeds(prose.text) : new Set<number>();
  return [...prose.text.matchAll(/%(?=\[)/g)].flatMap(({ index }) => {
    const region = walk.findRegion(index);
    if (region?.kind === 'code' || intended.has(index)) return [];
    return [replaceProse(prose, index, index + 1, region?.kind === 'url' ? '%25' : '&#37;')];
  });
}

/** The indices of the sign before the bracket. */
function findIntendedEmbeds(text: string): Set<number> {
  const lines = text.matchAll(/(?<=^|\n)(?:%\[https?:\/\/[^\s\][]+\]|%%\[[a-z\d-]{1,100}\])(?=[ \t]*(?:\n|$))/gi);
  return new Set([...lines].map(({ 0: line, index }) => index + line.indexOf('[') - 1));
}

/** Replaces Liquid tags, which Hashnode does not run: embeds by links, others by text. */
function linkLiquid(source: string, tags: readonly LiquidTag[]): { edits: TextEdit[]; losses: Notice[] } {
  const edits: TextEdit[] = [];
  let firstLink: number | null = null;
  let firstText: number | null = null;
  for (const { start, end, name, value } of tags) {
    const embed = findEmbed(name, value.split(/\s+/));
    if (embed === null) {
      firstText ??= start;
      continue;
    }
    firstLink ??= start;
    edits.push({ start, end, text: `<${embed.url}>` });
  }
  const losses: Notice[] = [];
  if (firstLink !== null) {
    const message = `${LABEL} gets a link in place of a Liquid tag that embeds something.`;
    losses.push({ code: 'embed_linked', message, line: findLine(source, firstLink) });
  }
  if (firstText !== null) {
    const message = `${LABEL} shows this Liquid tag as written, because it renders none.`;
    losses.push({ code: 'liquid_as_text', message, line: findLine(source, firstText) });
  }
  return { edits, losses };
}
