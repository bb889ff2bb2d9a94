/**
 * Cleans untrusted texts for a mail: one line of bounded length, without characters that control a
 * terminal, a header or the layout.
 */

/**
 * Replaces separators and white space by one space and lone surrogates by U+FFFD. Removes marks for
 * the writing direction: an unclosed one would affect the rest of the mail.
 */
export function cleanToOneLine(text: string, maxLength: number): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Bidi_Control}\p{Noncharacter_Code_Point}\u00ad\ufeff]/gu, '')
    .replace(/[\p{Cc}\p{Z}]+/gu, ' ')
    .trim();
  return shorten(line, maxLength);
}

/** Returns a normalised absolute http(s) address of bounded length, else the fallback. */
export function toWebAddress(address: string, fallback: string): string {
  if (!URL.canParse(address)) return fallback;
  const { protocol, href } = new URL(address);
  return (protocol === 'https:' || protocol === 'http:') && href.length <= MAX_ADDRESS_LENGTH ? href : fallback;
}

/**
 * Our addresses are much shorter. Fifteen of this length keep a mail below the size at which Gmail
 * truncates it.
 */
const MAX_ADDRESS_LENGTH = 1_000;

/** Cuts between graphemes. */
function shorten(line: string, maxLength: number): string {
  if (line.length <= maxLength) return line;
  let shortened = '';
  for (const { segment } of GRAPHEMES.segment(line.slice(0, maxLength * 2))) {
    if (shortened.length + segment.length > maxLength - 1) break;
    shortened += segment;
  }
  return `${shortened.trimEnd()}…`;
}

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

const WIDTH = 72;

/** Breaks lines of plain text between words. A word that is longer than a line is split. */
export function wrapMailText(text: string, first = ''): string {
  const width = WIDTH - first.length;
  const lines = text.match(new RegExp(`\\S.{0,${width - 1}}(?=\\s|$)|\\S{1,${width}}`, 'gu')) ?? [''];
  return lines.map((line, index) => (index === 0 ? first : ' '.repeat(first.length)) + line).join('\n');
}
