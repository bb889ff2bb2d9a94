/**
 * `npm run test:mutants [-- delivery/ urn]`: applies the mutants of `scripts/mutants/rooms` to
 * copies of the tree and runs their tests. Arguments select by file or description; MUTANTS_AT_ONCE
 * sets the number of copies. Exit code 0 if 90 % are detected and the rest explained.
 */
import { ROOT } from './check/run-step.ts';
import { startTestServices } from './check/services.ts';
import { provideTimeSkipping } from './check/time-skipping.ts';
import { describeMutant, type MutantResult, summarizeMutants } from './mutants/judge.ts';
import { MUTANTS } from './mutants/rooms/index.ts';
import { createMutantRunner } from './mutants/run-mutant.ts';
import { passesTests } from './mutants/run-test.ts';
import { copyTree } from './mutants/tree-copy.ts';
import { onTerminationRequest } from './start/termination-requests.ts';

const words = process.argv.slice(2);
const chosen = MUTANTS.filter(({ file, mistake }) =>
  words.length === 0 ? true : words.some((word) => file.includes(word) || mistake.includes(word)),
);
const atOnce = Number(process.env.MUTANTS_AT_ONCE ?? 2);
const print = (line: string) => process.stdout.write(`${line}\n`);
const stopping = new AbortController();
onTerminationRequest(() => stopping.abort(new Error('Interrupted.')));

const services = process.env.TEST_DATABASE_URL ? null : await startTestServices(print);
const serverVariables = services && {
  TEST_DATABASE_URL: services.databaseUrl,
  TEST_TEMPORAL_ADDRESS: services.temporalAddress,
};
const env = {
  ...process.env,
  ...serverVariables,
  ...(await provideTimeSkipping({ env: process.env, announce: print })),
};
const judge = createMutantRunner((file, cwd) => passesTests(file, { cwd, env, signal: stopping.signal }));
const copies = Array.from({ length: atOnce }, () => copyTree(ROOT));
const judged: MutantResult[] = [];
/** The shared queue of all copies. */
const queue = chosen.values();
const trying = copies.map(async (copy) => {
  for (const mutant of queue) {
    const result = await judge(mutant, copy);
    stopping.signal.throwIfAborted();
    judged.push(result);
    print(describeMutant(result));
  }
});
try {
  await Promise.all(trying);
  const { isGood, summary } = summarizeMutants(judged);
  print(summary);
  process.exitCode = isGood ? 0 : 1;
} catch (error) {
  stopping.abort(error);
  print((stopping.signal.reason as Error).message);
  process.exitCode = 1;
} finally {
  await Promise.allSettled(trying);
  for (const copy of copies) copy.remove();
  await services?.stop();
}
