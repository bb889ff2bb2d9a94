/** Locates test data outside the repository: in `../shared`, or in the folder of COURANT_SHARED. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const SHARED = process.env.COURANT_SHARED ?? resolve(import.meta.dirname, '../../../shared');

/** Returns the path of a file or folder, or the reason for skipping tests if it is missing. */
export function sharedPath(name: string): { path: string; skip: false } | { path: string; skip: string } {
  const path = resolve(SHARED, name);
  return { path, skip: existsSync(path) ? false : `${name} is not at hand (COURANT_SHARED)` };
}

export function readShared(name: string): string {
  return readFileSync(sharedPath(name).path, 'utf8');
}
