/** Cleans text of strangers for a mail: one line of bounded length, without characters that control a terminal, a header or the layout. */

/**
 * One line without control characters. Line and paragraph separators and other white space become one space; marks that change the writing
 * direction are removed, since an unclosed one would affect the rest of the mail; lone surrogates become U+FFFD.
 */
export function toOneLine(text: string, maxLength: number): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Bidi_Control}\p{Noncharacter_Code_Point}\u00ad\ufeff]/gu, '')
    .replace(/[\p{Cc}\p{Z}]+/gu, ' ')
    .trim();
  return shorten(line, maxLength);
}

/** An absolute http(s) address of reasonable length, normalised as a browser does (no spaces, no line breaks); the fallback for anything else. */
export function toWebAddress(address: string, fallback: string): string {
  if (!URL.canParse(address)) return fallback;
  const { protocol, href } = new URL(address);
  return (protocol === 'https:' || protocol === 'http:') && href.length <= LONGEST_ADDRESS ? href : fallback;
}

/** Ours are much shorter. Fifteen of this length still leave a mail below the size at which Gmail cuts it. */
const LONGEST_ADDRESS = 1_000;

/** Cuts between graphemes, not inside one. */
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
