/** Shortens a title to a platform's limit: the platform would refuse the article otherwise. */
import type { Notice } from '../../article/types.ts';

/** At most `length` characters (code points). Cuts after a word if one ends in the second half. */
export function cutTitle(title: string, length: number, label: string): { text: string; losses: Notice[] } {
  const characters = [...title];
  if (characters.length <= length) return { text: title, losses: [] };
  const cut = characters.slice(0, length - 1).join('');
  const space = cut.lastIndexOf(' ');
  const text = `${(space > cut.length / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
  const message = `${label} shows at most ${length} characters of a title, so this one is cut.`;
  return { text, losses: [{ code: 'title_cut', message, path: 'title' }] };
}
