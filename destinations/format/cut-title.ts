/** Shortens a title to a platform's bound: a cut one still reaches readers, a refused article reaches none. */
import type { Notice } from '../../article/types.ts';

/** The title in at most `length` characters (code points), cut at a word where one ends late enough. */
export function cutTitle(title: string, length: number, label: string): { text: string; losses: Notice[] } {
  const characters = [...title];
  if (characters.length <= length) return { text: title, losses: [] };
  const cut = characters.slice(0, length - 1).join('');
  const space = cut.lastIndexOf(' ');
  const text = `${(space > cut.length / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
  const message = `${label} shows titles of at most ${length} characters, so this one is cut there.`;
  return { text, losses: [{ code: 'title_cut', message, path: 'title' }] };
}
