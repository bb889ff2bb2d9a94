/** Compares absolute paths. */
import { isAbsolute, relative, sep } from 'node:path';

/**
 * True if the path is the folder or below it. A name may start with two dots. On Windows,
 * `relative` returns an absolute path if the drives differ.
 */
export function isWithin(folder: string, path: string): boolean {
  const relativePath = relative(folder, path);
  return relativePath !== '..' && !relativePath.startsWith(`..${sep}`) && !isAbsolute(relativePath);
}
