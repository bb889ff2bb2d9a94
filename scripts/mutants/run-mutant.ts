/**
 * Applies one mutant to a copy of the tree, runs the tests that must detect it, and restores the
 * file.
 */
import type { MutantResult } from './judge.ts';
import { type Mutant, mutate } from './mutant.ts';
import type { TreeCopy } from './tree-copy.ts';

/**
 * On a busy machine a test may time out. A failure after at least this time counts only if it
 * repeats.
 */
const MIN_TIMEOUT_MS = 5_000;

/** `passes` returns whether all tests of a file pass in this folder. */
export function createMutantRunner(
  passes: (file: string, cwd: string) => Promise<boolean>,
  { byTheClockMs = MIN_TIMEOUT_MS } = {},
) {
  /** Test files that pass without a mutant. Other files would detect every mutant. */
  const passing = new Map<string, Promise<boolean>>();

  return async function judge(mutant: Mutant, copy: TreeCopy): Promise<MutantResult> {
    const started = performance.now();
    const source = copy.read(mutant.file);
    copy.write(mutant.file, mutate(source, mutant));
    const detectedBy = await findDetectingTest(mutant, copy.root);
    copy.write(mutant.file, source);
    const seconds = (performance.now() - started) / 1_000;
    if (detectedBy !== null && !(await passesUnchanged(detectedBy, copy.root))) {
      throw new Error(`${detectedBy} fails without any mistake.`);
    }
    return { mutant, detectedBy, seconds };
  };

  async function findDetectingTest({ tests }: Mutant, cwd: string): Promise<string | null> {
    for (const file of tests) {
      const started = performance.now();
      if (await passes(file, cwd)) continue;
      if (performance.now() - started < byTheClockMs || !(await passes(file, cwd))) return file;
    }
    return null;
  }

  function passesUnchanged(file: string, cwd: string): Promise<boolean> {
    const known = passing.get(file) ?? passes(file, cwd);
    passing.set(file, known);
    return known;
  }
}
