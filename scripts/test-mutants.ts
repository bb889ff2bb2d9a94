/**
 * `npm run test:mutants`: puts each small mistake of `scripts/mutants/rooms` into a copy of the tree, one at a time, and runs the tests that must
 * notice it, against servers of its own or those of `npm run test:services`. With arguments (`npm run test:mutants -- delivery/ urn`) only those
 * in whose file or description one of them stands. Exit code: 0 if 90 % are noticed and the others explained, else 1.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './check/run-step.ts';
import { startTestServices } from './check/services.ts';
import { provideTimeSkipping } from './check/time-skipping.ts';
import { describeMutant, type Judged, judgeAll } from './mutants/judge.ts';
import { type Mutant, mutate } from './mutants/mutant.ts';
import { MUTANTS } from './mutants/rooms/index.ts';
import { passes } from './mutants/run-test.ts';
import { copyTree } from './mutants/scratch.ts';
import { onEndingSignal } from './start/ending-signals.ts';

const words = process.argv.slice(2);
const chosen = MUTANTS.filter(({ file, mistake }) =>
  words.length === 0 ? true : words.some((word) => file.includes(word) || mistake.includes(word)),
);
const say = (line: string) => process.stdout.write(`${line}\n`);
const stopping = new AbortController();
onEndingSignal(() => stopping.abort());

const services = process.env.TEST_DATABASE_URL ? null : await startTestServices(say);
const own = services && { TEST_DATABASE_URL: services.databaseUrl, TEST_TEMPORAL_ADDRESS: services.temporalAddress };
const env = { ...process.env, ...own, ...(await provideTimeSkipping({ env: process.env, announce: say })) };
const scratch = copyTree(ROOT);
const run = (file: string) => passes(file, { cwd: scratch.root, env, signal: stopping.signal });
/** Test files that pass without any mistake: others would notice everything. */
const green = new Set<string>();
try {
  process.exitCode = (await judgeOneByOne(chosen)) ? 0 : 1;
} finally {
  scratch.remove();
  await services?.stop();
}

async function judgeOneByOne(mutants: readonly Mutant[]): Promise<boolean> {
  const judged: Judged[] = [];
  for (const mutant of mutants) {
    for (const file of mutant.tests) {
      if (!green.has(file) && !(await run(file))) return fail(`${file} fails without any mistake.`);
      green.add(file);
    }
    const started = performance.now();
    const source = readFileSync(join(ROOT, mutant.file), 'utf8');
    scratch.write(mutant.file, mutate(source, mutant));
    const noticedBy = await findNoticing(mutant);
    scratch.write(mutant.file, source);
    if (stopping.signal.aborted) return fail('Interrupted.');
    const one = { mutant, noticedBy, seconds: (performance.now() - started) / 1_000 };
    judged.push(one);
    say(describeMutant(one));
  }
  const { isGood, summary } = judgeAll(judged);
  say(summary);
  return isGood;
}

async function findNoticing({ tests }: Mutant): Promise<string | null> {
  for (const file of tests) if (!(await run(file))) return file;
  return null;
}

function fail(line: string): false {
  say(line);
  return false;
}
