/** Finds a title for a document without one: the name of the file, else the first heading. */
import type { Root } from 'mdast';
import { toString as getText } from 'mdast-util-to-string';
import { cleanLine } from '../text/clean-text.ts';
import type { DocumentInput, Notice } from '../types.ts';

export const MAX_TITLE_LENGTH = 300;

/** File names that every folder can have: the title is the folder's name instead. */
const FOLDER_FILE = /^(?:index|readme)$/i;
const ENDING = /(?<=.)\.(?:md|mdx|markdown|mdown|mkdn?|html?|txt)$/i;
const JEKYLL_DATE = /^\d{4}-\d{1,2}-\d{1,2}-(?=.)/;

export function isNamedByFolder(fileName: string): boolean {
  return FOLDER_FILE.test(fileName.replace(ENDING, ''));
}

/**
 * Returns the file name without folders, extension and Jekyll date; for `index` and `README` the
 * name of the folder. Null without a file name.
 */
export function parseFileTitle({
  fileName,
  sourcePath,
}: Pick<DocumentInput, 'fileName' | 'sourcePath'>): string | null {
  if (fileName === undefined) return null;
  const names = fileName.split(/[\\/]/);
  const stem = (names.at(-1) ?? '').replace(ENDING, '');
  const folder = names.at(-2) ?? sourcePath?.split('/').at(-2);
  const name = FOLDER_FILE.test(stem) && folder ? folder : stem;
  return cleanTitle(name.replace(JEKYLL_DATE, '')) || null;
}

/** Builds the warning that the title comes from the file name; quotes the first heading. */
export function buildFileTitleWarning(title: string, tree: Root): Notice {
  const heading = tree.children.find((node) => node.type === 'heading');
  const text = heading === undefined ? '' : cleanTitle(getText(heading));
  const advice =
    text === ''
      ? 'To use another title, add title to the frontmatter'
      : `To use the first heading instead, add title: ${JSON.stringify(text)} to the frontmatter`;
  const message = `The title "${title}" comes from the file name. ${advice}. If the article is already published, also add its id, otherwise a new article is created.`;
  return { code: 'title_from_file_name', path: 'title', message };
}

/**
 * The first heading of level 1, or null. At the start it is cut from the body, because the page and
 * destinations would show it twice.
 */
export function extractTitleHeading(
  tree: Root,
  body: string,
): { title: string; body: string; tree: Root; linesCut: number } | null {
  const index = tree.children.findIndex((node) => node.type === 'heading' && node.depth === 1);
  const heading = tree.children[index];
  if (heading === undefined) return null;
  const title = cleanTitle(getText(heading));
  if (title === '') return null;
  const end = heading.position?.end.offset;
  if (index !== 0 || end === undefined) return { title, body, tree, linesCut: 0 };
  const rest = body.slice(end).replace(/^[ \t]*\n+/, '');
  const linesCut = body.slice(0, body.length - rest.length).split('\n').length - 1;
  return { title, body: rest, linesCut, tree: { ...tree, children: tree.children.slice(1) } };
}

function cleanTitle(text: string): string {
  return cleanLine(text).slice(0, MAX_TITLE_LENGTH).trimEnd();
}
