/** Where the lists of articles are on this site. */

/** One part of a path. A name that ends as Markdown does (the tag `agents.md`) is told from the Markdown of a page (`/tags/agents.md`). */
export function encodePathName(name: string): string {
  return encodeURIComponent(name).replace(/\.md$/, '%2Emd');
}

/** Not for `.` and `..`, which no address can end in: they have no list. */
export function buildTagPath(tag: string): string {
  return `/tags/${encodePathName(tag)}`;
}

export function hasTagPath(tag: string): boolean {
  return tag !== '.' && tag !== '..';
}

export function buildSeriesPath(id: string): string {
  return `/series/${id}`;
}
