/**
 * The registries of codes contain no code that nothing produces. The compiler verifies the
 * opposite: that a code in use has an entry.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CODE_REGISTRIES } from '../../scripts/reference/code-registries.ts';

const root = new URL('../../', import.meta.url);
const FOLDERS = ['activities', 'api', 'article', 'cli', 'delivery', 'destinations', 'sources', 'store'];
const REGISTRY = /(?:^|\/)(?:\w+-codes|graphql\/errors)\.ts$/;
/** Built from parts, or keys of an object. */
const COMPUTED = /\bmdx_\$\{kind\}_removed\b|^ {2}(?<key>\w+):/gm;

const sources = execFileSync('git', ['ls-files', ...FOLDERS.map((folder) => `${folder}/*.ts`)], { cwd: root })
  .toString()
  .trim()
  .split('\n')
  .filter((file) => !REGISTRY.test(file));
const produced = new Set<string>();
for (const file of sources) {
  const text = readFileSync(new URL(file, root), 'utf8');
  for (const [, code] of text.matchAll(/'([A-Za-z][\w]+)'/g)) produced.add(code ?? '');
  for (const { groups } of text.matchAll(COMPUTED)) if (groups?.key) produced.add(groups.key);
  for (const [, kind] of text.matchAll(/'(component|expression)'/g)) produced.add(`mdx_${kind}_removed`);
}

for (const { title, entries } of CODE_REGISTRIES) {
  test(`${title}: something produces each code`, () => {
    assert.deepEqual(
      Object.keys(entries).filter((code) => !produced.has(code)),
      [],
    );
  });
}
