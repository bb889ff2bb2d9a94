/**
 * Applies one mutant to a copy of the tree, runs the tests that must detect it, and restores the
 * file.
 */
import type { MutantResult } from './judge.ts';
import { type Mutant, mutate } from './mutant.ts';
import type { TreeCopy } from './tree-copy.ts';

/**
 * On a busy machine a test may fail by a timeout, which takes longer than this. Such a failure
 * counts only if it repeats.
 */
const MIN_TIMEOUT_MS = 5_000;

/** `passesTests` returns whether all tests of a file pass in this folder. */
export function createMutantRunner(
  passes: (file: string, cwd: string) => Promise<boolean>,
  { byTheClockMs = MIN_TIMEOUT_MS } = {},
) {
  /** Test files that pass without a mutant. Other files would detect every mutant. */
  const green = new Map<string, Promise<boolean>>();

  return async function judge(mutant: Mutant, copy: TreeCopy): Promise<MutantResult> {
    const started = performance.now();
    const source = copy.read(mutant.file);
    copy.write(mutant.file, mutate(source, mutant));
    const detectedBy = await findNoticing(mutant, copy.root);
    copy.write(mutant.file, source);
    const seconds = (performance.now() - started) / 1_000;
    if (detectedBy !== null && !(await isGreen(detectedBy, copy.root))) {
      throw new Error(`${detectedBy} fails without any mistake.`);
    }
    return { mutant, detectedBy, seconds };
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
