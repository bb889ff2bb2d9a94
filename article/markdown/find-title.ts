/** Finds a title for a document whose frontmatter has none: the name of the file, else the first heading. */
import type { Root } from 'mdast';
import { toString as getText } from 'mdast-util-to-string';
import { cleanLine } from '../text/clean-text.ts';

/** The name of the file without folders and ending; null if no name is given. */
export function parseFileTitle(fileName: string | undefined, maxLength: number): string | null {
  if (fileName === undefined) return null;
  const name = fileName.slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1);
  const title = cleanLine(name.replace(/(?<=.)\.(?:md|mdx|markdown|mdown|mkdn?|html?|txt)$/i, ''))
    .slice(0, maxLength)
    .trimEnd();
  return title === '' ? null : title;
}

/**
 * The first heading of level 1, or null if there is none. If the text begins with it, it is cut from the body, because
 * page and destinations would show it twice. `linesCut` is the number of lines that were cut.
 */
export function takeTitleHeading(
  tree: Root,
  body: string,
  maxLength: number,
): { title: string; body: string; tree: Root; linesCut: number } | null {
  const index = tree.children.findIndex((node) => node.type === 'heading' && node.depth === 1);
  const heading = tree.children[index];
  if (heading === undefined) return null;
  const title = cleanLine(getText(heading)).slice(0, maxLength).trimEnd();
  if (title === '') return null;
  const end = heading.position?.end.offset;
  if (index !== 0 || end === undefined) return { title, body, tree, linesCut: 0 };
  const rest = body.slice(end).replace(/^[ \t]*\n+/, '');
  const linesCut = body.slice(0, body.length - rest.length).split('\n').length - 1;
  return { title, body: rest, linesCut, tree: { ...tree, children: tree.children.slice(1) } };
}
