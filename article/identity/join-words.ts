/**
 * The words of a text joined by dashes, in lower case: what a slug is made of. A text of ASCII, as most titles are, has patterns of its own, which
 * find the same: V8 takes longer to look up what a letter is in Unicode than the command line takes to read a short post.
 */
import { slug as githubSlug } from 'github-slugger';
import { cleanLine } from '../text/clean-text.ts';

/** `kept` is what stays beside letters and digits. */
export function joinWords(text: string, kept: '' | '_' = ''): string {
  const line = cleanLine(text).normalize('NFKC');
  return /^[ -~]*$/.test(line) ? joinAscii(line, kept) : joinUnicode(line, kept);
}

/** Of one clean line in NFKC, as below. */
export function joinAscii(line: string, kept: '' | '_'): string {
  const within = /(?<=\d)[^A-Za-z\d\s,'_-]+(?=\d)|(?<=[A-Za-z])\.(?=\d)|(?<=\d)\.(?=[xX](?![A-Za-z\d]))/g;
  const between = kept === '_' ? /[^a-z\d_]+/g : /[^a-z\d]+/g;
  return trimDashes(githubSlug(line.replace(within, '-')).replace(between, '-'));
}

export function joinUnicode(line: string, kept: '' | '_'): string {
  // Joiners, selectors of variants, fillers: two addresses that look the same would be two.
  const invisible = /\p{Default_Ignorable_Code_Point}/gu;
  // `3.13`, `1/2`, `rc.1`, `3.x`: numbers that would run together. A comma or an apostrophe only groups the digits of one.
  const within = /(?<=\d)[^\p{L}\p{N}\p{M}\s,'’_-]+(?=\d)|(?<=\p{L})\.(?=\d)|(?<=\d)\.(?=[xX](?![\p{L}\p{N}]))/gu;
  const between = kept === '_' ? /[^\p{L}\p{N}\p{M}_]+/gu : /[^\p{L}\p{N}\p{M}]+/gu;
  // Marks without a letter to stand on would be written over the slash before them.
  const loneMarks = /(?<![\p{L}\p{N}\p{M}])\p{M}+/gu;
  const visible = line.replace(invisible, '').replace(within, '-');
  const dashed = trimDashes(githubSlug(visible).replace(between, '-').replace(loneMarks, ''));
  // What was taken out or lowered can leave marks side by side that are not in their canonical order.
  return dashed.normalize('NFKC');
}

function trimDashes(text: string): string {
  return text.replace(/-{2,}/g, '-').replace(/^-+|-+$/g, '');
}
