/** A line of an author's text, bounded for drawing: shaping takes time for every mark, and what is cut off is not seen. */
import { cleanLine } from '../text/clean-text.ts';

/** Of letters that exist, none stands under more. */
const MARK_FLOOD = /(\p{M}{3})\p{M}+/gu;
/** Widely copied lines are cut before they are looked at. */
const MAX_UNITS = 4_000;
const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** At most `length` letters as a reader counts them, and an ellipsis where there were more. */
export function cleanCardText(text: string, length: number): string {
  const line = cleanLine(text.slice(0, MAX_UNITS).toWellFormed()).replace(MARK_FLOOD, '$1');
  let kept = '';
  let count = 0;
  for (const { segment } of GRAPHEMES.segment(line)) {
    if (++count > length) return `${kept.trimEnd()}…`;
    kept += segment;
  }
  return kept;
}
