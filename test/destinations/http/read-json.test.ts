/** Parsing another server's response cannot block the process. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readJson } from '../../../destinations/http/read-json.ts';

test('a listing of a thousand complete articles is read', () => {
  const article = { id: 1, body_markdown: 'x, {y} [z] "q" \\ '.repeat(500), tags: ['a', 'b'], user: { name: 'Ann' } };
  const listing = Array.from({ length: 1000 }, () => ({ ...article, ...Object.fromEntries(FIELDS) }));
  assert.deepEqual(readJson(Buffer.from(JSON.stringify(listing))), listing);
});

test('millions of small values within the byte limit are not parsed', () => {
  for (const unit of ['{},', '[],', '1,', '"",', '{"a":{"b":{}}},']) {
    const bytes = Buffer.from(`[${unit.repeat((8 * 1024 * 1024) / unit.length)}1]`);
    const begin = performance.now();
    // Not `equal`: a failure would print all values.
    assert.ok(readJson(bytes) === undefined, unit);
    assert.ok(performance.now() - begin < 5_000, `${unit} took ${performance.now() - begin} ms`);
  }
});

test('nesting does not bypass the limit', () => {
  assert.ok(readJson(Buffer.from('['.repeat(4e6) + ']'.repeat(4e6))) === undefined);
});

test('brackets and commas inside strings do not count, with or without escaped quotes', () => {
  const text = '\\",{[\\\\'.repeat(300_000);
  const value = { text };
  assert.deepEqual(readJson(Buffer.from(JSON.stringify(value))), value);
});

test('text that is not JSON is undefined', () => {
  for (const text of ['', '<html>', '{"a":', '\u0000']) assert.equal(readJson(Buffer.from(text)), undefined);
});

const FIELDS = Array.from({ length: 40 }, (_, index) => [`field${index}`, index] as const);
