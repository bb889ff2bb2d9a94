/** Test material that is not part of the repository: `../shared` beside it, or where COURANT_SHARED says. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = process.env.COURANT_SHARED ?? fileURLToPath(new URL('../../../../shared', import.meta.url));

/** The path of a part of the material, and why a test that needs it is skipped where it is absent. */
export function sharedData(part: string): { path: string; skip: string | false } {
  const path = `${FOLDER}/${part}`;
  return { path, skip: existsSync(path) ? false : `${path} is not here; set COURANT_SHARED` };
}
