/**
 * `examples/repository`, which authors copy. `test/scripts/workflows.test.ts` checks its workflow.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readDocument } from '../../article/read-document.ts';

const FOLDER = new URL('../../examples/repository/', import.meta.url);
const BASE = 'https://raw.githubusercontent.com/ada/blog/main/';

const files = readdirSync(new URL('posts/', FOLDER));

for (const name of files) {
  const content = readFileSync(new URL(`posts/${name}`, FOLDER), 'utf8');
  const result = readDocument({ content, baseUrl: `${BASE}posts/`, now: new Date() });

  test(`posts/${name} is a draft without problems or warnings`, () => {
    assert.ok(result.ok, JSON.stringify(result));
    assert.equal(result.draft.status, 'DRAFT');
    assert.deepEqual(result.warnings, []);
  });

  test(`posts/${name} shows only pictures of the repository`, () => {
    assert.ok(result.ok);
    const addresses = [content.matchAll(/\]\((\.\.\/[^)]+)\)/g), content.matchAll(/^cover_image: (.+)$/gm)].flatMap(
      (matches) => [...matches].map(([, path = '']) => new URL(path, new URL('posts/', FOLDER))),
    );
    for (const address of addresses) assert.ok(existsSync(address), address.href);
  });
}

test('the README of the repository lists every file', () => {
  const readme = readFileSync(new URL('README.md', FOLDER), 'utf8');
  for (const name of files) assert.ok(readme.includes(`\`posts/${name}\``), name);
});
