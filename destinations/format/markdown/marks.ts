/** Finds formulas, Liquid tags (`{% youtube dQw4w9WgXcQ %}`) and marks of other tools in a body. */
import { findMath } from '../../../article/dialects/inline/math.ts';
import { dropOverlaps } from '../../../article/dialects/spans.ts';
import type { TextEdit } from '../../../article/markdown/edits.ts';
import type { Block, FenceBlock, Span } from './block-types.ts';
import { scanBlocks } from './blocks.ts';
import { rewriteForeign } from './foreign-marks.ts';
import { maskSpans, selectSpansInText } from './mask.ts';
import { type Prose, readProse } from './prose.ts';

export interface Formula extends Span {
  tex: string;
  /** Written as a block (`$$…$$`, `\[…\]`, a fence of `math`), not in a line of text. */
  isDisplay: boolean;
  /** Set if the formula is a fence. */
  fence?: FenceBlock;
}

export interface LiquidTag extends Span {
  /** In lower case. */
  name: string;
  value: string;
}

/** In order. None overlaps another. */
interface Marks {
  blocks: Block[];
  formulas: Formula[];
  tags: LiquidTag[];
  /** Rewrite the marks that no platform understands. */
  foreign: TextEdit[];
  /** The given spans of the platform's own syntax. */
  native: Span[];
}

interface MarkOptions {
  native?: readonly Span[];
  /** True for marks of other tools that the platform supports. */
  isNative?: (mark: string) => boolean;
  /** Whether a tag or a mark that begins here is one. */
  canBegin?: (position: number) => boolean;
  /** Changes or drops an edit. */
  adapt?: (edit: TextEdit) => TextEdit[];
}

export function findMarks(
  body: string,
  { native = [], isNative, canBegin = () => true, adapt = (edit) => [edit] }: MarkOptions = {},
): Marks {
  const blocks = scanBlocks(body);
  const own = selectSpansInText(
    native.filter(({ start }) => canBegin(start)),
    body,
    blocks,
  );
  const formulas = findFormulas(body, blocks);
  const tags = findLiquidTags(body, blocks).filter(({ start }) => canBegin(start));
  const foreign = rewriteForeign(body, blocks, isNative)
    .filter(({ start }) => canBegin(start))
    .flatMap(adapt);
  const chosen = new Set<Span>(dropOverlaps<Span>([...own, ...foreign, ...tags, ...formulas]));
  const choose = <S extends Span>(spans: readonly S[]) => spans.filter((span) => chosen.has(span));
  return { blocks, formulas: choose(formulas), tags: choose(tags), foreign: choose(foreign), native: choose(own) };
}

/** Masks these spans and the formulas in the text. A fence stays a fence. */
export function maskMarks(body: string, formulas: readonly Formula[], spans: readonly Span[]): string {
  const inText = formulas.filter(({ fence }) => fence === undefined);
  return maskSpans(body, dropOverlaps<Span>([...spans, ...inText]));
}

/** A text without any of these contains no formula. */
const MAY_CONTAIN = /\$|katex|\\[([]|[`~]{3}[ \t]*math\b/i;

/** In order. Prices, shell variables and anything in code or addresses are not formulas. */
function findFormulas(source: string, blocks: readonly Block[]): Formula[] {
  if (!MAY_CONTAIN.test(source)) return [];
  const found = findMath(source).flatMap(({ start, end, node }): Formula[] => {
    if (node?.type !== 'inlineCode') return [];
    const classes = node.data?.hProperties?.className;
    return [{ start, end, tex: node.value, isDisplay: Array.isArray(classes) && classes.includes('math-display') }];
  });
  const fences = blocks.flatMap((block): Formula[] => {
    if (block.kind !== 'fence' || !isMath(source, block)) return [];
    const tex = block.lines.map(({ start, end }) => source.slice(start, end)).join('\n');
    return [{ start: block.open.start, end: block.end, tex: tex.trim(), isDisplay: true, fence: block }];
  });
  const formulas = [...selectSpansInText(found, source, blocks), ...fences.filter(({ tex }) => tex !== '')];
  return formulas.sort((left, right) => left.start - right.start);
}

function isMath(source: string, { info }: FenceBlock): boolean {
  return source.slice(info.start, info.end).trim().toLowerCase() === 'math';
}

/** In code, in raw HTML and after a backslash, tags are text. */
const TAG =
  /(?<![\\{])\{%-?[ \t]{0,9}([a-z_]{1,40})(?:[ \t]{1,9}((?:(?!%\}|\{[{%])[^\n]){0,500}?))?[ \t]{0,9}-?%\}(?!\})/gi;

function findLiquidTags(source: string, blocks: readonly Block[]): LiquidTag[] {
  if (!source.includes('{%')) return [];
  return [...readProse(source, blocks)].flatMap(findInProse);
}

function findInProse(prose: Prose): LiquidTag[] {
  const { text, block, regions, toSource } = prose;
  if (block.kind === 'html' || block.kind === 'indented' || !text.includes('{%')) return [];
  let at = 0;
  return [...text.matchAll(TAG)].flatMap(({ 0: tag, 1: name = '', 2: value = '', index }) => {
    const end = index + tag.length;
    while ((regions[at]?.end ?? Number.POSITIVE_INFINITY) <= index) at += 1;
    // A tag may contain the address that it embeds.
    for (let inside = at; (regions[inside]?.start ?? Number.POSITIVE_INFINITY) < end; inside += 1) {
      const region = regions[inside];
      if (region === undefined || region.kind !== 'url' || region.start < index || region.end > end) return [];
    }
    return [{ start: toSource(index), end: toSource(end - 1) + 1, name: name.toLowerCase(), value: value.trim() }];
  });
}
