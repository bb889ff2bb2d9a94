/** Limits the length of an author's text on a card: its layout takes longer with every mark. */
import { cleanLine } from '../text/clean-text.ts';

/** No letter of a living script carries more than three marks. */
const MARK_FLOOD = /(\p{M}{3})\p{M}+/gu;
/** In UTF-16 units. Longer lines are cut before they are segmented. */
const MAX_UNITS = 4_000;
const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** At most `length` graphemes; ends in an ellipsis if the text was longer. */
export function cleanCardText(text: string, length: number): string {
  const line = cleanLine(text.slice(0, MAX_UNITS).toWellFormed()).replace(MARK_FLOOD, '$1');
  let shortened = '';
  let count = 0;
  for (const { segment } of GRAPHEMES.segment(line)) {
    if (++count > length) return `${shortened.trimEnd()}…`;
    shortened += segment;
  }
  return shortened;
}
