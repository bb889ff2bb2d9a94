/** Compares paths. */
import { isAbsolute, relative, sep } from 'node:path';

/**
 * Whether an absolute path is the folder itself or below it. A name may begin with two dots. On
 * Windows, `relative` returns an absolute path if the drives differ.
 */
export function isWithin(folder: string, path: string): boolean {
  const within = relative(folder, path);
  return within !== '..' && !within.startsWith(`..${sep}`) && !isAbsolute(within);
}
