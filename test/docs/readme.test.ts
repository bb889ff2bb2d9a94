import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const ROOT = new URL('../../', import.meta.url);
const README = readFileSync(new URL('README.md', ROOT), 'utf8');

test('each row of the README’s comparison is a row of docs/comparison.md, where its sources are', () => {
  const rows = README.split('\n').filter((line) => line.startsWith('| '));
  const comparison = readFileSync(new URL('docs/comparison.md', ROOT), 'utf8').split('\n');
  assert.ok(rows.length > 5);
  assert.deepEqual(
    rows.filter((row) => !comparison.includes(row)),
    [],
  );
});

test('the README has at most 1,200 words, its pictures and a recorded session', () => {
  assert.ok(README.split(/\s+/).length <= 1_200);
  for (const name of ['desk-light', 'desk-dark', 'article-light', 'article-dark'])
    assert.ok(README.includes(`docs/pictures/${name}.webp`), name);
  assert.match(README, /<!-- session -->\n```text\n\$ npx courant publish /);
});
