/** Finds the formulas of a Markdown body that the article's own page shows as math. */
import { findMath } from '../../../article/dialects/inline/math.ts';
import type { Block, FenceBlock, Span } from './block-types.ts';
import { selectSpansInText } from './mask.ts';

export interface Formula extends Span {
  tex: string;
  /** Written as a block (`$$…$$`, `\[…\]`, a fence of `math`), not in a line of text. */
  isDisplay: boolean;
  /** Set if the formula is a fence. */
  fence?: FenceBlock;
}

/** A text without any of these contains no formula. */
const MAY_CONTAIN = /\$|katex|\\[([]|[`~]{3,}[ \t]*math\b/i;

/** In order. Prices, shell variables and anything in code or addresses are not formulas. */
export function findFormulas(source: string, blocks: readonly Block[]): Formula[] {
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
