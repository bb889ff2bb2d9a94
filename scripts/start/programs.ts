/** The bundled programs that this start runs: built where sources or packages have changed since, and run as sources where they cannot be built. */
import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BUNDLE, LIST, nameProgram } from '../programs/programs.ts';

const run = promisify(execFile);

/** Beside the sources: which versions of packages are in it, and how it is made. */
const MADE_WITH = [
  'package-lock.json',
  'scripts/build-programs.ts',
  'scripts/programs/places.ts',
  'scripts/programs/programs.ts',
  'temporal/one-byte.ts',
];

/** Gives the path of a program's file, relative to `root`, by that of its source. */
export async function providePrograms(
  root: string,
  { say, aborted }: { say: (line: string) => void; aborted: AbortSignal },
): Promise<(source: string) => string> {
  if (!(await isFresh(root))) {
    try {
      await run(process.execPath, ['scripts/build-programs.ts'], { cwd: root, signal: aborted });
    } catch (error) {
      aborted.throwIfAborted();
      const { stderr, message } = error as { stderr?: string; message: string };
      say(`The programs could not be bundled and run as sources, which takes longer:\n${(stderr || message).trim()}`);
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
      [...sources, ...MADE_WITH].map(async (file) => (await stat(join(root, file))).mtimeMs > built),
    );
    return !changed.includes(true);
  } catch {
    // Never built, or one of its sources is gone.
    return false;
  }
}
