/**
 * `npm run test:mutants -- --seed x --count 48 [--files 'store/**'] [--tests 'test/store/**']`:
 * applies random mutants to copies of the tree, prints the share that tests notice, and the others.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, matchesGlob } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from './check/run-step.ts';
import { provideTestServices } from './check/services.ts';
import { provideTools } from './check/set-up.ts';
import { listTestFiles } from './check/test-groups.ts';
import { drawMutants } from './mutants/draw.ts';
import EQUIVALENTS from './mutants/equivalents.json' with { type: 'json' };
import { cloneTree, createJudge, describeShare } from './mutants/judge.ts';
import { chooseTests, collectCoverage, createTestRunner, type TestRunner } from './mutants/tests.ts';
import { onTerminationRequest } from './start/termination-requests.ts';

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: new Date().toISOString().slice(0, 10) },
    count: { type: 'string', default: '48' },
    files: { type: 'string', default: '**' },
    tests: { type: 'string', default: '**' },
    // Per mutant, the nearest tests run that usually take this long together.
    seconds: { type: 'string', default: '300' },
  },
});
const COPIES = 2;
const print = (line: string) => void process.stdout.write(`${line}\n`);
const stopping = new AbortController();
onTerminationRequest(() => stopping.abort(new Error('Interrupted.')));
const folder = mkdtempSync(join(tmpdir(), 'courant-mutants-'));
const services = await provideTestServices(print);
try {
  const search = { env: process.env, announce: print, aborted: stopping.signal };
  const tools = await provideTools(['TIME_SKIPPING_SERVER', 'CHROMIUM_PATH', 'PYTHON_READERS'], search);
  await judgeMutants(createTestRunner({ ...services.env, ...tools }, stopping.signal));
} finally {
  rmSync(folder, { recursive: true, force: true });
  await services.stop();
}

async function judgeMutants(run: TestRunner): Promise<void> {
  const tests = listTestFiles(ROOT).filter((test) => matchesGlob(test, options.tests));
  const coverage = await collectCoverage(tests, run, COPIES);
  const judge = createJudge(cloneTree(join(folder, 'unchanged')), coverage, run, Number(options.seconds));
  const mutants = drawMutants(options);
  const missed: string[] = [];
  let [drawn, judged] = [0, 0];
  const judgeNext = async (copy: string) => {
    while (drawn++ < Number(options.count)) {
      const { value: mutant } = await mutants.next();
      if (!mutant) return;
      const { file, line, code, change } = mutant;
      const known = EQUIVALENTS.find((entry) => entry.file === file && entry.code === code && entry.change === change);
      const notice = known ? null : await judge(mutant, copy);
      const tried = chooseTests(mutant, coverage, Number(options.seconds)).length;
      const judgement = notice ? `noticed by ${notice}` : `NOT NOTICED by ${tried} tests`;
      print(`${file}:${line}  ${change}\n    ${known ? `equivalent: ${known.reason}` : judgement}`);
      judged += known ? 0 : 1;
      if (!known && notice === null) missed.push(`${file}:${line}  ${change}\n    ${code}  (${tried} tests)`);
    }
  };
  const copies = Array.from({ length: COPIES }, (_, index) => cloneTree(join(folder, String(index))));
  await Promise.all(copies.map(judgeNext));
  print(`\n${describeShare(judged - missed.length, judged)}\n${['Not noticed:', ...missed].join('\n')}`);
}
