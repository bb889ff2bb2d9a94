/**
 * Provides the bundled programs of a start. Rebuilds the bundle if one of the files that it lists
 * has changed.
 */
import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { StartError } from './start-error.ts';

/** The folder of the bundle in the repository. */
export const BUNDLE = 'dist/programs';

/** Lists what the bundle was built from. Written last, so its time is the time of the bundle. */
export const LIST = 'sources.json';

/** Returns the file name of a program in that folder. */
export const nameProgram = (source: string) => `${source.replace(/\.ts$/, '').replaceAll('/', '-')}.js`;

/** Returns a function from the path of a source to that of its program, relative to `root`. */
export async function providePrograms(root: string, aborted: AbortSignal): Promise<(source: string) => string> {
  if (!(await isFresh(root))) {
    const options = { cwd: root, signal: aborted };
    await promisify(execFile)(process.execPath, ['scripts/build-programs.ts'], options).catch((error: Error) => {
      aborted.throwIfAborted();
      throw new StartError(`The programs could not be bundled.\n${error.message}`);
    });
  }
  return (source) => `${BUNDLE}/${nameProgram(source)}`;
}

async function isFresh(root: string): Promise<boolean> {
  const list = join(root, BUNDLE, LIST);
  try {
    const { mtimeMs: built } = await stat(list);
    const sources = JSON.parse(await readFile(list, 'utf8')) as string[];
    const changed = await Promise.all(sources.map(async (file) => (await stat(join(root, file))).mtimeMs > built));
    return !changed.includes(true);
  } catch {
    // Never built, or one of its sources was deleted.
    return false;
  }
}
