/** Titles from file names. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFileTitle } from '../../../article/markdown/find-title.ts';

test('only whole names of folder files, extensions at the end and dates at the start are left out of a title', () => {
  for (const [fileName, title] of [
    ['folder/index.md', 'folder'],
    ['folder/README.md', 'folder'],
    ['folder/reindex.md', 'reindex'],
    ['folder/readme-first.md', 'readme-first'],
    ['notes.md.draft', 'notes.md.draft'],
    ['2026-01-02-news.md', 'news'],
    ['news-2026-01-02-more.md', 'news-2026-01-02-more'],
  ] as const)
    assert.equal(parseFileTitle({ fileName }), title, fileName);
});
