import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const ROOT = new URL('../../', import.meta.url);
const README = readFileSync(new URL('README.md', ROOT), 'utf8');

test('each row of the README’s comparison has its sources in docs/comparison.md', () => {
  const names = [...README.matchAll(/^\| ([^|]+) \|/gm)].map(([, name]) => name);
  const sources = readFileSync(new URL('docs/comparison.md', ROOT), 'utf8');
  assert.deepEqual(
    names,
    [...sources.matchAll(/^\*\*([^*]+)\.\*\*/gm)].map(([, name]) => name),
  );
});

test('the README has at most 1,200 words, its pictures and a recorded session', () => {
  assert.ok(README.split(/\s+/).length <= 1_200);
  for (const name of ['desk-light', 'desk-dark', 'article-light', 'article-dark'])
    assert.ok(README.includes(`docs/pictures/${name}.webp`), name);
  assert.match(README, /<!-- session -->\n```text\n\$ npx courant publish /);
});
