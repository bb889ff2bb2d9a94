/** What of a body is Forem's own already, and what is a formula; the rest of it is read as if neither were there. */
import type { Block, Span } from '../format/markdown/block-types.ts';
import { scanBlocks } from '../format/markdown/blocks.ts';
import { type Formula, findFormulas } from '../format/markdown/formulas.ts';
import { findLiquidTags } from '../format/markdown/liquid-tags.ts';
import { dropOverlaps, maskSpans, selectText } from '../format/markdown/mask.ts';
import { findKatex, selectKnownTags } from './known-tags.ts';

export interface Source {
  /** The body with its formulas and Forem's own tags masked. */
  source: string;
  blocks: Block[];
  formulas: Formula[];
  /** Tags that Forem runs. */
  kept: Span[];
}

export function readSource(body: string): Source {
  const blocks = scanBlocks(body);
  const tags = selectKnownTags(findLiquidTags(body, blocks));
  const katex = selectText(findKatex(body), body, blocks);
  const formulas = findFormulas(body, blocks);
  if (tags.length + katex.length + formulas.length === 0) return { source: body, blocks, formulas, kept: [] };
  const chosen = new Set<Span>(dropOverlaps<Span>([...katex, ...tags, ...formulas]));
  const kept = dropOverlaps([...katex, ...tags].filter((span) => chosen.has(span)));
  const written = formulas.filter((formula) => chosen.has(formula));
  const hidden = dropOverlaps<Span>([...kept, ...written.filter(({ fence }) => fence === undefined)]);
  const source = maskSpans(body, hidden);
  return { source, blocks: scanBlocks(source), formulas: written, kept };
}
