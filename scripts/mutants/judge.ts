/** Applies mutants to a copy of the tree, and finds the tests that notice them. */
import { execFileSync } from 'node:child_process';
import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../check/run-step.ts';
import type { Mutant } from './draw.ts';
import { BUNDLES, chooseTests, type TestCoverage, type TestRunner } from './tests.ts';

export function cloneTree(copy: string): string {
  execFileSync('git', ['clone', '--quiet', '--shared', ROOT, copy]);
  for (const folder of ['node_modules', 'cli/node_modules'])
    if (existsSync(join(ROOT, folder))) symlinkSync(join(ROOT, folder), join(copy, folder));
  for (const folder of Object.keys(BUNDLES)) buildBundle(folder, copy);
  return copy;
}

function buildBundle(path: string, cwd: string): boolean {
  const build = BUNDLES[path.split('/')[0] ?? '']?.build;
  try {
    if (build) execFileSync(process.execPath, [build], { cwd, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** `unchanged`: a copy without a mutant. Its judge returns what noticed the mutant, or null. */
export function createJudge(unchanged: string, coverage: readonly TestCoverage[], run: TestRunner, maxSeconds: number) {
  const passing = new Map<string, ReturnType<TestRunner>>();

  async function findNotice(mutant: Mutant, cwd: string): Promise<string | null> {
    for (const { test, seconds } of chooseTests(mutant, coverage, maxSeconds)) {
      // A failure counts if it repeats, and does not happen without the mutant.
      if ((await run(test, { cwd, seconds })).passed || (await run(test, { cwd, seconds })).passed) continue;
      if (!passing.has(test)) passing.set(test, run(test, { cwd: unchanged, seconds }));
      if ((await passing.get(test))?.passed) return test;
    }
    return null;
  }

  return async (mutant: Mutant, cwd: string): Promise<string | null> => {
    writeFileSync(join(cwd, mutant.file), mutant.mutated);
    try {
      return buildBundle(mutant.file, cwd) ? await findNotice(mutant, cwd) : 'the build';
    } finally {
      writeFileSync(join(cwd, mutant.file), mutant.original);
      buildBundle(mutant.file, cwd);
    }
  };
}

/** The share with its 95 % interval (Wilson). */
export function describeShare(noticed: number, of: number): string {
  const [share, square] = [noticed / of, 1.96 ** 2 / of];
  const middle = (share + square / 2) / (1 + square);
  const half = (1.96 * Math.sqrt((share * (1 - share)) / of + square / (4 * of))) / (1 + square);
  const percent = (value: number) => (100 * value).toFixed(1);
  return `${noticed} of ${of} mutants noticed: ${percent(share)} % (95 %: ${percent(middle - half)} to ${percent(middle + half)} %)`;
}
