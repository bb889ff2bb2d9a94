/** The random mutants of `npm run test:mutants`: how they are drawn and judged. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../scripts/check/run-step.ts';
import { drawMutants, listMutants, type Mutant } from '../../scripts/mutants/draw.ts';
import EQUIVALENTS from '../../scripts/mutants/equivalents.json' with { type: 'json' };
import { createJudge, describeShare } from '../../scripts/mutants/judge.ts';
import { chooseTests, readLcov, type TestRunner } from '../../scripts/mutants/tests.ts';

test('a mutant changes one expression of its line and no other', async () => {
  const source = 'const a = 1;\nexport const f = (b: number, c?: number) => a < b && b < 9 && c;\n';
  const mutants = await listMutants('x/y.ts', source);
  assert.ok(mutants.length > 5 && mutants.every(({ line, file }) => line === 2 && file === 'x/y.ts'));
  const find = (change: string) => mutants.find((mutant) => mutant.change === change)?.mutated;
  assert.equal(find('a < b → a <= b'), source.replace('a < b', 'a <= b'));
  assert.equal(find('a < b && b < 9 → a < b || b < 9'), source.replace('a < b && b < 9', '(a < b || b < 9)'));
});

test('a seed draws the same mutants again, and another seed draws others', async () => {
  const draw = async (seed: string) => {
    const drawn: string[] = [];
    for await (const { line, change } of drawMutants({ seed, files: 'delivery/pre*.ts' })) {
      if (drawn.push(`${line} ${change}`) === 5) break;
    }
    return drawn;
  };
  assert.deepEqual(await draw('one'), await draw('one'));
  assert.notDeepEqual(await draw('one'), await draw('two'));
});

const MUTANT: Mutant = { file: 'store/a/b.ts', line: 7, code: 'x', change: 'x → y', original: 'x', mutated: 'y' };

test('the tests of a mutant execute its line, nearest and narrowest first, and take a bounded time', () => {
  const cover = (name: string, seconds: number, ...files: string[]) => ({
    ...{ test: name, passed: true, seconds },
    lines: Object.fromEntries(['store/a/b.ts', ...files].map((file) => [file, [6, 7]])),
  });
  const coverage = [
    cover('test/api/wide.test.ts', 1, 'api/a.ts', 'api/b.ts'),
    cover('test/api/narrow.test.ts', 1, 'api/a.ts'),
    cover('test/store/a/b.test.ts', 9, 'api/a.ts', 'api/b.ts', 'api/c.ts'),
    { ...cover('test/store/a/c.test.ts', 1), lines: { 'store/a/b.ts': [6] } },
    cover('test/cli/bundle.test.ts', 1, 'api/a.ts', 'api/b.ts', 'api/c.ts'),
  ];
  const choose = (mutant: Mutant, seconds = 11) => chooseTests(mutant, coverage, seconds).map((entry) => entry.test);
  const nearest = ['test/store/a/b.test.ts', 'test/api/narrow.test.ts', 'test/api/wide.test.ts'];
  assert.deepEqual(choose(MUTANT), nearest);
  assert.deepEqual(choose(MUTANT, 1), nearest.slice(0, 1));
  assert.deepEqual(choose({ ...MUTANT, file: 'cli/main.ts' }), ['test/cli/bundle.test.ts']);
});

test('the executed lines of a coverage report are read by file', () => {
  const report = 'TN:\nSF:a/b.ts\nFN:1,f\nDA:1,0\nDA:2,3\nDA:10,12\nend_of_record\nSF:c.ts\nDA:1,0\nend_of_record\n';
  assert.deepEqual(readLcov(report), { 'a/b.ts': [2, 10], 'c.ts': [] });
});

test('a mutant is noticed by a test that fails twice with it and passes without it', async (t) => {
  const copy = mkdtempSync(join(tmpdir(), 'courant-judge-'));
  t.after(() => rmSync(copy, { recursive: true }));
  const mutant = { ...MUTANT, file: 'b.ts' };
  writeFileSync(join(copy, 'b.ts'), mutant.original);
  const judge = (outcomes: Record<string, boolean[]>) => {
    const coverage = Object.keys(outcomes).map((name) => ({
      test: name,
      passed: true,
      seconds: 1,
      lines: { 'b.ts': [7] },
    }));
    const run: TestRunner = async (name, { cwd }) => {
      assert.equal(
        cwd === 'unchanged' ? 'x' : readFileSync(join(copy, 'b.ts'), 'utf8'),
        cwd === 'unchanged' ? 'x' : 'y',
      );
      return { passed: outcomes[name]?.shift() ?? assert.fail(), seconds: 1 };
    };
    return createJudge('unchanged', coverage, run, 60)(mutant, copy);
  };
  assert.equal(await judge({ passes: [true], flaky: [false, true], notices: [false, false, true] }), 'notices');
  assert.equal(await judge({ passes: [true], broken: [false, false, false] }), null);
  assert.equal(readFileSync(join(copy, 'b.ts'), 'utf8'), mutant.original);
});

test('the share is printed with its Wilson interval', () => {
  assert.equal(describeShare(45, 48), '45 of 48 mutants noticed: 93.8 % (95 %: 83.2 to 97.9 %)');
  assert.equal(describeShare(4, 4), '4 of 4 mutants noticed: 100.0 % (95 %: 51.0 to 100.0 %)');
});

test('each known equivalent mutant is one of the present code', async () => {
  for (const { file, code, change } of EQUIVALENTS) {
    const mutants = await listMutants(file, readFileSync(join(ROOT, file), 'utf8'));
    assert.ok(
      mutants.some((mutant) => mutant.code === code && mutant.change === change),
      `${file}: ${change}`,
    );
  }
});
