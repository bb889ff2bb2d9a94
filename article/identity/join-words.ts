/** Joins the words of a text by dashes, in lower case, for a slug. */
import { slug as githubSlug } from 'github-slugger';
import { cleanLine } from '../text/clean-text.ts';

/** `extra` is allowed beside letters and digits. */
export function joinWords(text: string, extra: '' | '_' = ''): string {
  const line = cleanLine(text).normalize('NFKC');
  // Joiners, variation selectors, fillers: with them two different addresses could look the same.
  const invisible = /\p{Default_Ignorable_Code_Point}/gu;
  // `3.13`, `1/2`, `rc.1`, `3.x` would run together. Commas and apostrophes only group digits.
  const within = /(?<=\d)[^\p{L}\p{N}\p{M}\s,'’_-]+(?=\d)|(?<=\p{L})\.(?=\d)|(?<=\d)\.(?=[xX](?![\p{L}\p{N}]))/gu;
  const between = extra === '_' ? /[^\p{L}\p{N}\p{M}_]+/gu : /[^\p{L}\p{N}\p{M}]+/gu;
  // A mark without a letter before it would be drawn over the slash.
  const loneMarks = /(?<![\p{L}\p{N}\p{M}])\p{M}+/gu;
  const visible = line.replace(invisible, '').replace(within, '-');
  const dashed = githubSlug(visible).replace(between, '-').replace(loneMarks, '');
  // Removed and lowercased letters can leave marks in an order that is not canonical.
  return dashed
    .replace(/-{2,}/g, '-')
    .replace(/^-+|-+$/g, '')
    .normalize('NFKC');
}
