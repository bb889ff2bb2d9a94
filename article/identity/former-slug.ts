/**
 * Reads a slug by the rules before `readAuthorSlug` (`helm-3.13` was `helm-313`, `my_post` was
 * `my-post`). Articles from then are found by it and keep their address.
 */
import { slug as githubSlug } from 'github-slugger';
import { cleanLine } from '../text/clean-text.ts';

const MAX_LETTERS = 80;

/** Null if no letter or digit remains. */
export function readFormerSlug(text: string): string | null {
  const dashed = githubSlug(cleanLine(text.split(/[\\/]/).join('-')).normalize('NFKC'))
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .normalize('NFKC');
  const letters = [...dashed];
  if (letters.length <= MAX_LETTERS) return dashed || null;
  const cut = letters.slice(0, MAX_LETTERS + 1).join('');
  const lastDash = cut.lastIndexOf('-');
  const short = lastDash > MAX_LETTERS / 2 ? cut.slice(0, lastDash) : letters.slice(0, MAX_LETTERS).join('');
  return short.replace(/-+$/, '');
}
