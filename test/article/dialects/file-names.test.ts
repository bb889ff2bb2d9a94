import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markFileNames } from '../../../article/render/code/mark-file-names.ts';
import { derive } from '../support/documents.ts';

test('a page marks the file name of a listing, which is plain code in the stored article', async () => {
  const { html } = await derive('```ts title="b.ts"\nz\n```\n');
  assert.match(html, /<p><code>b\.ts<\/code><\/p>/);
  assert.match(markFileNames(html), /<p class="code-name"><code>b\.ts<\/code><\/p>\s*<pre/);
});

test('code that is not directly before a listing, or has words beside it, is no file name', async () => {
  const { html } = await derive('`alone`\n\nText\n\nsee `b.ts`\n\n```ts\nz\n```\n');
  assert.equal(markFileNames(html), html);
});
