/** Text of strangers on its way into a mail: one line, of bounded length, nothing in it that steers a terminal, a header or a layout. */

/**
 * One line without control characters. Line and paragraph separators and every other blank become one space; marks that
 * turn the writing direction go, since an unclosed one would turn the rest of the mail; lone surrogates become U+FFFD.
 */
export function toOneLine(text: string, maxLength: number): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Bidi_Control}\p{Noncharacter_Code_Point}\u00ad\ufeff]/gu, '')
    .replace(/[\p{Cc}\p{Z}]+/gu, ' ')
    .trim();
  return shorten(line, maxLength);
}

/** An absolute http(s) address of reasonable length, written as a browser does (no blanks, no line breaks); the fallback for anything else. */
export function toWebAddress(address: string, fallback: string): string {
  if (!URL.canParse(address)) return fallback;
  const { protocol, href } = new URL(address);
  return (protocol === 'https:' || protocol === 'http:') && href.length <= LONGEST_ADDRESS ? href : fallback;
}

/** Ours are much shorter; fifteen of these still leave a mail below the size at which Gmail cuts it. */
const LONGEST_ADDRESS = 1_000;

/** Cut between letters as a reader sees them, not between halves of one. */
function shorten(line: string, maxLength: number): string {
  if (line.length <= maxLength) return line;
  let kept = '';
  for (const { segment } of GRAPHEMES.segment(line.slice(0, maxLength * 2))) {
    if (kept.length + segment.length > maxLength - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });
