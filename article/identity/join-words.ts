/**
 * Joins the words of a text by dashes, in lower case, for a slug. ASCII text has patterns of its
 * own, with the same result: the Unicode lookup of V8 takes longer than the command line needs to
 * read a short post.
 */
import { slug as githubSlug } from 'github-slugger';
import { cleanLine } from '../text/clean-text.ts';

/** `extra` is allowed beside letters and digits. */
export function joinWords(text: string, extra: '' | '_' = ''): string {
  const line = cleanLine(text).normalize('NFKC');
  return /^[ -~]*$/.test(line) ? joinAscii(line, extra) : joinUnicode(line, extra);
}

/** Expects one clean line in NFKC, like `joinUnicode`. */
export function joinAscii(line: string, extra: '' | '_'): string {
  const within = /(?<=\d)[^A-Za-z\d\s,'_-]+(?=\d)|(?<=[A-Za-z])\.(?=\d)|(?<=\d)\.(?=[xX](?![A-Za-z\d]))/g;
  const between = extra === '_' ? /[^a-z\d_]+/g : /[^a-z\d]+/g;
  return trimDashes(githubSlug(line.replace(within, '-')).replace(between, '-'));
}

export function joinUnicode(line: string, extra: '' | '_'): string {
  // Joiners, variation selectors, fillers: with them two different addresses could look the same.
  const invisible = /\p{Default_Ignorable_Code_Point}/gu;
  // `3.13`, `1/2`, `rc.1`, `3.x` would run together. Commas and apostrophes only group digits.
  const within = /(?<=\d)[^\p{L}\p{N}\p{M}\s,'’_-]+(?=\d)|(?<=\p{L})\.(?=\d)|(?<=\d)\.(?=[xX](?![\p{L}\p{N}]))/gu;
  const between = extra === '_' ? /[^\p{L}\p{N}\p{M}_]+/gu : /[^\p{L}\p{N}\p{M}]+/gu;
  // A mark without a letter before it would be drawn over the slash.
  const loneMarks = /(?<![\p{L}\p{N}\p{M}])\p{M}+/gu;
  const visible = line.replace(invisible, '').replace(within, '-');
  const dashed = trimDashes(githubSlug(visible).replace(between, '-').replace(loneMarks, ''));
  // Removed and lowercased letters can leave marks in an order that is not canonical.
  return dashed.normalize('NFKC');
}

function trimDashes(text: string): string {
  return text.replace(/-{2,}/g, '-').replace(/^-+|-+$/g, '');
}
