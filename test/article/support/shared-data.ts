/** Test data outside of the repository: in `../shared` beside it, or in the folder that COURANT_SHARED names. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = process.env.COURANT_SHARED ?? fileURLToPath(new URL('../../../../shared', import.meta.url));

/** The path of a part of the data, and the reason for skipping tests that need it if it is missing. */
export function sharedData(part: string): { path: string; skip: string | false } {
  const path = `${FOLDER}/${part}`;
  return { path, skip: existsSync(path) ? false : `${path} is not here; set COURANT_SHARED` };
}
