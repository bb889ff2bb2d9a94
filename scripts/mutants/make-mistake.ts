/**
 * Applies one mutant to a copy of the tree, runs the tests that must detect it, and restores the
 * file.
 */
import type { Judged } from './judge.ts';
import { type Mutant, mutate } from './mutant.ts';
import type { Scratch } from './scratch.ts';

/**
 * On a busy machine a test may fail by a timeout, which takes longer than this. Such a failure
 * counts only if it repeats.
 */
const MIN_TIMEOUT_MS = 5_000;

/** `passes` returns whether all tests of a file pass in this folder. */
export function createJudge(
  passes: (file: string, cwd: string) => Promise<boolean>,
  { byTheClockMs = MIN_TIMEOUT_MS } = {},
) {
  /** Test files that pass without a mutant. Other files would detect every mutant. */
  const green = new Map<string, Promise<boolean>>();

  return async function judge(mutant: Mutant, copy: Scratch): Promise<Judged> {
    const started = performance.now();
    const source = copy.read(mutant.file);
    copy.write(mutant.file, mutate(source, mutant));
    const noticedBy = await findNoticing(mutant, copy.root);
    copy.write(mutant.file, source);
    const seconds = (performance.now() - started) / 1_000;
    if (noticedBy !== null && !(await isGreen(noticedBy, copy.root))) {
      throw new Error(`${noticedBy} fails without any mistake.`);
    }
    return { mutant, noticedBy, seconds };
  };

  async function findNoticing({ tests }: Mutant, cwd: string): Promise<string | null> {
    for (const file of tests) {
      const started = performance.now();
      if (await passes(file, cwd)) continue;
      if (performance.now() - started < byTheClockMs || !(await passes(file, cwd))) return file;
    }
    return null;
  }

  function isGreen(file: string, cwd: string): Promise<boolean> {
    const known = green.get(file) ?? passes(file, cwd);
    green.set(file, known);
    return known;
  }
}
