/** Runs test files, and finds those that execute a line. Coverage is collected once per commit. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { COMPILE_CACHE, ROOT, signalGroup } from '../check/run-step.ts';
import type { Mutant } from './draw.ts';

export interface TestCoverage {
  test: string;
  passed: boolean;
  seconds: number;
  /** Executed lines by file. */
  lines: Record<string, number[]>;
}

export type TestRunner = ReturnType<typeof createTestRunner>;

/** A test fails if it takes a minute and five times as long as usual. */
export function createTestRunner(env: NodeJS.ProcessEnv, signal: AbortSignal) {
  return async (test: string, { cwd, seconds, report }: { cwd: string; seconds: number; report?: string }) => {
    signal.throwIfAborted();
    const started = performance.now();
    const coverage = ['--experimental-test-coverage', '--test-reporter=lcov', `--test-reporter-destination=${report}`];
    const child = spawn(process.execPath, ['--test', ...(report ? coverage : []), test], {
      ...{ cwd, stdio: 'ignore', env: report ? env : { NODE_COMPILE_CACHE: COMPILE_CACHE, ...env } },
      // Its own process group, so that servers and workers of the test end with it.
      detached: true,
    });
    const end = () => signalGroup(child, 'SIGKILL');
    const limit = setTimeout(end, 60_000 + 5_000 * seconds);
    signal.addEventListener('abort', end, { once: true });
    const [code] = await once(child, 'close');
    clearTimeout(limit);
    signal.removeEventListener('abort', end);
    end();
    return { passed: code === 0, seconds: (performance.now() - started) / 1_000 };
  };
}

/** Runs the tests that the cache does not contain yet. Tests that fail are not used. */
export async function collectCoverage(tests: readonly string[], run: TestRunner, concurrency: number) {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT }).toString().trim();
  if (git('status', '--porcelain') !== '') throw new Error('Commit your changes first: coverage belongs to a commit.');
  mkdirSync(join(ROOT, 'coverage'), { recursive: true });
  const cache = join(ROOT, 'coverage', `tests-${git('rev-parse', '--short=12', 'HEAD')}.jsonl`);
  const stored = existsSync(cache) ? readFileSync(cache, 'utf8').trim().split('\n') : [];
  const coverage = stored.map((line) => JSON.parse(line) as TestCoverage);
  const queue = tests.filter((file) => !coverage.some(({ test }) => test === file)).values();
  const collect = async () => {
    for (const test of queue) {
      const report = join(ROOT, 'coverage', `${test.replaceAll('/', '-')}.lcov`);
      const result = await run(test, { cwd: ROOT, seconds: 600, report });
      coverage.push({ test, ...result, lines: result.passed ? readLcov(readFileSync(report, 'utf8')) : {} });
      rmSync(report, { force: true });
      appendFileSync(cache, `${JSON.stringify(coverage.at(-1))}\n`);
      process.stdout.write(`coverage  ${test}  ${result.seconds.toFixed(1)} s${result.passed ? '' : ', fails'}\n`);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, collect));
  return coverage.filter(({ test, passed }) => passed && tests.includes(test));
}

/** A report has `SF:<file>`, and `DA:<line>,<count>` for each of its lines. */
export function readLcov(report: string): Record<string, number[]> {
  const readLines = (entry: string) => [...entry.matchAll(/^DA:(\d+),[1-9]/gm)].map(([, line]) => Number(line));
  const entries = report.split(/^SF:/m).slice(1);
  return Object.fromEntries(entries.map((entry) => [entry.slice(0, entry.indexOf('\n')), readLines(entry)]));
}

/** Tests run these folders as bundles or processes, which coverage does not see. */
export const BUNDLES: Record<string, { tests: string; build?: string }> = {
  action: { tests: 'test/action/**' },
  browser: { tests: 'test/browser/**', build: 'scripts/build-browser.ts' },
  cli: { tests: 'test/{cli,action}/**', build: 'scripts/build-cli.ts' },
  workflows: { tests: 'test/workflows/**' },
};

/** First those of the mirrored folder, then those that execute few files, up to `maxSeconds`. */
export function chooseTests({ file, line }: Mutant, coverage: readonly TestCoverage[], maxSeconds: number) {
  const bundled = BUNDLES[file.split('/')[0] ?? '']?.tests ?? '';
  const mirrored = `test/${file}`.split('/');
  const rank = ({ test, lines }: TestCoverage) =>
    Object.keys(lines).length - 10_000 * test.split('/').findIndex((part, index) => part !== mirrored[index]);
  let seconds = 0;
  const fits = (test: TestCoverage, index: number) => {
    seconds += test.seconds;
    return index === 0 || seconds <= maxSeconds;
  };
  return coverage
    .filter(({ test, lines }) => lines[file]?.includes(line) || matchesGlob(test, bundled))
    .sort((one, other) => rank(one) - rank(other))
    .filter(fits);
}
