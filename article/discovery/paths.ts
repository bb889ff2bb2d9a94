/** Builds the paths of the lists of articles. */

/** Encodes a segment of a path. The tag `agents.md` must differ from the alternate of `agents`. */
export function encodePathName(name: string): string {
  return encodeURIComponent(name).replace(/\.md$/, '%2Emd');
}

/** Not for `.` and `..`: no address can end in them, so these tags have no list. */
export function buildTagPath(tag: string): string {
  return `/tags/${encodePathName(tag)}`;
}

export function hasTagPath(tag: string): boolean {
  return tag !== '.' && tag !== '..';
}

export function buildSeriesPath(id: string): string {
  return `/series/${id}`;
}
