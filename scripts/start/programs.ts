/**
 * Provides the bundled programs of a start. Rebuilds the bundle if sources or packages changed;
 * runs sources if the build fails.
 */
import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BUNDLE, LIST, nameProgram } from '../programs/programs.ts';

const run = promisify(execFile);

/** Further inputs of the bundle: the package versions and the build scripts. */
const BUILD_INPUTS = [
  'package-lock.json',
  'scripts/build-programs.ts',
  'scripts/programs/source-locations.ts',
  'scripts/programs/programs.ts',
];

/**
 * Returns a function from the path of a source to the path of its program, both relative to `root`.
 */
export async function providePrograms(
  root: string,
  { print, aborted }: { print: (line: string) => void; aborted: AbortSignal },
): Promise<(source: string) => string> {
  if (!(await isFresh(root))) {
    try {
      await run(process.execPath, ['scripts/build-programs.ts'], { cwd: root, signal: aborted });
    } catch (error) {
      aborted.throwIfAborted();
      const { stderr, message } = error as { stderr?: string; message: string };
      print(
        `The programs could not be bundled. They run as sources, which start more slowly:\n${(stderr || message).trim()}`,
      );
      return (source) => source;
    }
  }
  return (source) => `${BUNDLE}/${nameProgram(source)}`;
}

async function isFresh(root: string): Promise<boolean> {
  const list = join(root, BUNDLE, LIST);
  try {
    const { mtimeMs: built } = await stat(list);
    const sources = JSON.parse(await readFile(list, 'utf8')) as string[];
    const changed = await Promise.all(
      [...sources, ...BUILD_INPUTS].map(async (file) => (await stat(join(root, file))).mtimeMs > built),
    );
    return !changed.includes(true);
  } catch {
    // Never built, or one of its sources was deleted.
    return false;
  }
}
