/** Test data that lies beside the repository and is never copied into it. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const SHARED = process.env.COURANT_SHARED ?? resolve(import.meta.dirname, '../../../shared');

/** Where a shared file or folder is, or the reason to skip what needs it. */
export function sharedPath(name: string): { path: string; skip: false } | { path: string; skip: string } {
  const path = resolve(SHARED, name);
  return { path, skip: existsSync(path) ? false : `${name} is not at hand (COURANT_SHARED)` };
}

export function readShared(name: string): string {
  return readFileSync(sharedPath(name).path, 'utf8');
}
