/** The list of mutants matches the code and the tests. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../scripts/check/run-step.ts';
import { summarizeMutants } from '../../scripts/mutants/judge.ts';
import { type Mutant, mutate } from '../../scripts/mutants/mutant.ts';
import { MUTANTS } from '../../scripts/mutants/rooms/index.ts';
import { createMutantRunner } from '../../scripts/mutants/run-mutant.ts';

test('each mutant changes one place of its file, and the result can be parsed', () => {
  for (const mutant of MUTANTS) {
    const source = readFileSync(join(ROOT, mutant.file), 'utf8');
    assert.doesNotThrow(() => mutate(source, mutant), mutant.mistake);
  }
});

test('each mutant names existing tests and is listed once', () => {
  for (const { tests, mistake } of MUTANTS) {
    assert.ok(tests.length > 0, mistake);
    for (const file of tests) assert.ok(existsSync(join(ROOT, file)), `${mistake}: ${file}`);
  }
  const names = MUTANTS.map(({ file, mistake }) => `${file}: ${mistake}`);
  assert.deepEqual(names, [...new Set(names)]);
});

test('fewer than one in ten mutants may have an explanation for survival', () => {
  const explained = MUTANTS.filter(({ survives }) => survives !== undefined);
  assert.ok(explained.length < MUTANTS.length / 10, `${explained.length} of ${MUTANTS.length}`);
});

test('a mutant that is neither detected nor explained fails the run, as does an explanation of a detected one', () => {
  const [mutant] = MUTANTS;
  assert.ok(mutant);
  const { survives: _, ...plain } = mutant;
  const judge = (more: Partial<Mutant>, detectedBy: string | null) => ({
    ...{ mutant: { ...plain, ...more }, detectedBy, seconds: 1 },
  });
  const good = Array.from({ length: 9 }, () => judge({}, 'a test'));
  const isGood = (last: ReturnType<typeof judge>) => summarizeMutants([...good, last]).isGood;
  assert.equal(isGood(judge({}, 'a test')), true);
  assert.equal(isGood(judge({ survives: 'equivalent' }, null)), true);
  assert.equal(isGood(judge({}, null)), false);
  assert.equal(isGood(judge({ survives: 'equivalent' }, 'a test')), false);
  assert.equal(
    summarizeMutants([...good.slice(2), ...Array(2).fill(judge({ survives: 'equivalent' }, null))]).isGood,
    false,
  );
});

test('a mutant that does not match the code is reported', () => {
  const mutant = { mistake: 'a sign', file: 'x.ts', from: '+', to: '-', tests: [] };
  assert.equal(mutate('const x = 1 + 1;', mutant), 'const x = 1 - 1;');
  assert.throws(() => mutate('const x = 1;', mutant), /has it 0 times/);
  assert.throws(() => mutate('const x = 1 + 1 + 1;', mutant), /has it 2 times/);
  assert.throws(() => mutate('const x = 1 + 1;', { ...mutant, to: '}' }), /SyntaxError|Unexpected|Expression/);
});

test('a mistake is in the copy while tests run and is then reverted; a test that fails without it throws', async () => {
  const right = 'const x = 1 + 1;';
  let text = right;
  const write = (_: string, now: string) => {
    text = now;
  };
  const copy = { root: '/', read: () => text, write, remove: () => undefined };
  const mutant = { mistake: 'a sign', file: 'x.ts', from: '+', to: '-', tests: ['blind.test.ts', 'seeing.test.ts'] };
  const judge = createMutantRunner(async (file) => file === 'blind.test.ts' || text === right);
  assert.equal((await judge(mutant, copy)).detectedBy, 'seeing.test.ts');
  assert.equal(text, right);
  const broken = createMutantRunner(async () => false);
  await assert.rejects(broken(mutant, copy), /blind\.test\.ts fails without any mistake/);
});

test('a failure that may be a timeout counts if it repeats', async () => {
  const copy = { root: '/', read: () => '1 + 1', write: () => undefined, remove: () => undefined };
  const mutant = { mistake: 'a sign', file: 'x.ts', from: '+', to: '-', tests: ['timed.test.ts'] };
  const answers = [false, true];
  const judge = createMutantRunner(async () => answers.shift() ?? true, { byTheClockMs: 0 });
  assert.equal((await judge(mutant, copy)).detectedBy, null);
});
