/** Test data outside of the repository: in `../shared` beside it, or in the folder that COURANT_SHARED names. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const SHARED = process.env.COURANT_SHARED ?? resolve(import.meta.dirname, '../../../shared');

/** The path of a file or folder of the data, and the reason for skipping tests that need it if it is missing. */
export function sharedPath(name: string): { path: string; skip: false } | { path: string; skip: string } {
  const path = resolve(SHARED, name);
  return { path, skip: existsSync(path) ? false : `${name} is not at hand (COURANT_SHARED)` };
}

export function readShared(name: string): string {
  return readFileSync(sharedPath(name).path, 'utf8');
}
