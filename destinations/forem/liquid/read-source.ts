/** Finds Forem's own tags, formulas and foreign marks, and masks them for the other scans. */
import type { TextEdit } from '../../../article/markdown/edits.ts';
import type { Block, Span } from '../../format/markdown/block-types.ts';
import { scanBlocks } from '../../format/markdown/blocks.ts';
import { type Formula, findMarks, maskMarks } from '../../format/markdown/marks.ts';
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
  const canBegin = (position: number) => !followsBrace(body, position);
  const marks = findMarks(body, { native: findKatex(body), canBegin, adapt: protect });
  const { formulas, foreign: foreignMarkEdits } = marks;
  // Overlaps are resolved first, because one tag of a pair may be inside a formula.
  const nativeSpans = [...marks.native, ...selectKnownTags(marks.tags)];
  const source = maskMarks(body, formulas, [...nativeSpans, ...foreignMarkEdits]);
  const blocks = source === body ? marks.blocks : scanBlocks(source);
  return { source, blocks, formulas, nativeSpans, foreignMarkEdits };
}

/** Replacements are not scanned again: no Liquid, no half of a code span, no mention. */
function protect(edit: TextEdit): TextEdit[] {
  if (edit.text.startsWith('`')) return [edit];
  if (/^[{%]|[{`]/.test(edit.text)) return [];
  const text = /<https?:/i.test(edit.text) ? edit.text : edit.text.replace(/@(?=[\w-])/g, '@\u2060');
  return [{ ...edit, text }];
}
