import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const ROOT = new URL('../../', import.meta.url);
const README = readFileSync(new URL('README.md', ROOT), 'utf8');
const LINKS = Array.from(
  README.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g),
  (match) => match[1] ?? match[2] ?? '',
);

test('the README links to every page of docs/', () => {
  const pages = readdirSync(new URL('docs/', ROOT)).filter((name) => name.endsWith('.md'));
  assert.deepEqual(
    pages.filter((name) => !LINKS.includes(`docs/${name}`)),
    [],
  );
});

test('every relative link and picture of the README exists', () => {
  const files = LINKS.filter((link) => !/^(?:https?:|#)/.test(link));
  assert.ok(files.some((file) => file.startsWith('docs/pictures/')));
  assert.deepEqual(
    files.filter((file) => !existsSync(new URL(file, ROOT))),
    [],
  );
});
