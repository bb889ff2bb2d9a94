/** Where the lists of articles are on this site. */

/** Not for `.` and `..`, which no address can end in: they have no list. */
export function buildTagPath(tag: string): string {
  return `/tags/${encodeURIComponent(tag)}`;
}

export function hasTagPath(tag: string): boolean {
  return tag !== '.' && tag !== '..';
}

export function buildSeriesPath(id: string): string {
  return `/series/${id}`;
}
