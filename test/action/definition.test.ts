import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { checkAction, checkWorkflow } from './support/github-parsers.ts';

const ROOT = new URL('../../', import.meta.url);

const read = (name: string) => readFileSync(new URL(name, ROOT), 'utf8');
const content = read('action.yml');

test('action.yml passes GitHub’s own parser', () => {
  assert.deepEqual(checkAction(content), []);
  assert.notDeepEqual(checkAction(content.replace('using: composite', 'using: compsite')), []);
});

test('no step of action.yml inserts an expression into a script', () => {
  const { runs } = parse(content) as { runs: { steps: { run: string }[] } };
  for (const { run } of runs.steps) assert.ok(!run.includes('${{'), run);
});

test('docs/guide/ci.md lists every input and output of action.yml, with its default', () => {
  const docs = read('docs/guide/ci.md');
  const { inputs, outputs } = parse(content) as Record<'inputs' | 'outputs', Record<string, { default?: string }>>;
  for (const [name, input] of Object.entries(inputs)) {
    const row = docs.split('\n').find((line) => line.startsWith(`| \`${name}\` |`));
    assert.ok(row !== undefined, name);
    for (const part of (input.default ?? '').trim().split('\n')) assert.ok(row.includes(part), `${name}: ${part}`);
  }
  for (const name of Object.keys(outputs)) assert.ok(docs.includes(`| \`${name}\` |`), name);
});

test('the workflows in the documentation are valid and use existing inputs', () => {
  const { inputs } = parse(content) as { inputs: Record<string, unknown> };
  const workflows = ['docs/guide/ci.md'].flatMap((name) =>
    [...read(name).matchAll(/^```yaml\n(name: [\s\S]*?)^```/gm)].map(([, text]) => String(text)),
  );
  assert.ok(workflows.length > 0);
  for (const text of workflows) {
    assert.deepEqual(checkWorkflow(text), [], text);
    const { jobs } = parse(text) as { jobs: Record<string, { steps: { uses?: string; with?: object }[] }> };
    for (const step of Object.values(jobs).flatMap(({ steps }) => steps)) {
      if (!step.uses?.includes('/courant@')) continue;
      for (const name of Object.keys(step.with ?? {})) assert.ok(name in inputs, name);
    }
  }
});
