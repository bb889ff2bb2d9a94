import { isAbsolute, relative, sep } from 'node:path';

/** Whether an absolute path is the folder itself or below it. A name may begin with two dots; another drive gives an absolute path. */
export function isWithin(folder: string, path: string): boolean {
  const within = relative(folder, path);
  return within !== '..' && !within.startsWith(`..${sep}`) && !isAbsolute(within);
}
