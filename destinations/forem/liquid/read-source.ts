/**
 * Finds Forem's own tags, formulas and marks of other tools in a body, and masks them for the scan
 * of the rest.
 */

import { dropOverlaps } from '../../../article/dialects/spans.ts';
import type { TextEdit } from '../../../article/markdown/edits.ts';
import type { Block, Span } from '../../format/markdown/block-types.ts';
import { scanBlocks } from '../../format/markdown/blocks.ts';
import { rewriteForeign } from '../../format/markdown/foreign-marks.ts';
import { type Formula, findFormulas } from '../../format/markdown/formulas.ts';
import { findLiquidTags } from '../../format/markdown/liquid-tags.ts';
import { maskSpans, selectSpansInText } from '../../format/markdown/mask.ts';
import { followsBrace } from './escape-liquid.ts';
import { findKatex, selectKnownTags } from './known-tags.ts';

export interface Source {
  /** The body with formulas, Forem's own tags and marks that no platform understands masked. */
  source: string;
  blocks: Block[];
  formulas: Formula[];
  /** Tags that Forem runs. */
  nativeSpans: Span[];
  foreignMarkEdits: TextEdit[];
}

export function readSource(body: string): Source {
  const blocks = scanBlocks(body);
  const isFree = ({ start }: Span): boolean => !followsBrace(body, start);
  const tags = findLiquidTags(body, blocks).filter(isFree);
  const katex = selectSpansInText(findKatex(body).filter(isFree), body, blocks);
  const all = {
    formulas: findFormulas(body, blocks),
    foreignMarkEdits: rewriteForeign(body, blocks).filter(isFree).flatMap(protect),
  };
  const chosen = new Set<Span>(dropOverlaps<Span>([...katex, ...all.foreignMarkEdits, ...tags, ...all.formulas]));
  if (chosen.size === 0) return { source: body, blocks, formulas: [], nativeSpans: [], foreignMarkEdits: [] };
  // Overlaps are resolved first, because one tag of a pair may be inside a formula.
  const nativeSpans = [
    ...katex.filter((span) => chosen.has(span)),
    ...selectKnownTags(tags.filter((tag) => chosen.has(tag))),
  ];
  const formulas = all.formulas.filter((formula) => chosen.has(formula));
  const foreignMarkEdits = all.foreignMarkEdits.filter((edit) => chosen.has(edit));
  const inText = formulas.filter(({ fence }) => fence === undefined);
  const source = maskSpans(body, dropOverlaps<Span>([...nativeSpans, ...inText, ...foreignMarkEdits]));
  return { source, blocks: scanBlocks(source), formulas, nativeSpans, foreignMarkEdits };
}

/**
 * Replacement text is not scanned again. It must contain no Liquid, no half of a code span and no
 * mention.
 */
function protect(edit: TextEdit): TextEdit[] {
  if (edit.text.startsWith('`')) return [edit];
  if (/^[{%]|[{`]/.test(edit.text)) return [];
  const text = /<https?:/i.test(edit.text) ? edit.text : edit.text.replace(/@(?=[\w-])/g, '@\u2060');
  return [{ ...edit, text }];
}
