/** Sentences for authors that quote a platform, addresses in their normal form, and waits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalizeBaseUrl } from '../../../destinations/http/base-url.ts';
import { downloadImage } from '../../../destinations/http/image.ts';
import { readField, readText } from '../../../destinations/http/read-field.ts';
import { formatReason, quoteRefusal } from '../../../destinations/http/reason.ts';
import { parseRetryAfter } from '../../../destinations/http/retry-after.ts';
import { startServer } from '../destination-harness.ts';

test('a reason is one line of at most 300 characters, cut at a word of its second half', () => {
  assert.equal(formatReason(' Two\n lines. '), 'Two lines.');
  assert.equal(formatReason('x'.repeat(300)), 'x'.repeat(300));
  assert.equal(formatReason('x'.repeat(301)), `${'x'.repeat(299)}…`);
  assert.equal(formatReason(`${'a'.repeat(150)} ${'b'.repeat(200)}`), `${'a'.repeat(150)} ${'b'.repeat(148)}…`);
  assert.equal(formatReason(`${'a'.repeat(151)} ${'b'.repeat(200)}`), `${'a'.repeat(151)}…`);
  // Never half of a character.
  assert.equal(formatReason(`${'x'.repeat(298)}😀 y`), `${'x'.repeat(298)}…`);
  assert.equal(formatReason(`😀${'x'.repeat(300)}`), `😀${'x'.repeat(297)}…`);
});

test('a quotation has quotation marks, at most 180 characters, and no secret of six characters or more', () => {
  const secrets = { token: 'secret-1', site: '12345' };
  assert.equal(quoteRefusal('No secret-1 and secret-1, but 12345.', secrets), '“No ••• and •••, but 12345.”');
  assert.equal(quoteRefusal('No 123456.', { site: '123456' }), '“No •••.”');
  for (const nothing of [undefined, null, 7, {}, '', ' \n'])
    assert.equal(quoteRefusal(nothing, {}), 'no reason stated');
  assert.equal(quoteRefusal('x'.repeat(180), {}), `“${'x'.repeat(180)}”`);
  assert.equal(quoteRefusal('x'.repeat(181), {}), `“${'x'.repeat(179)}…”`);
  assert.equal(quoteRefusal(`${' '.repeat(3_999)}xy`, {}), '“x”');
});

test('addresses of one site have one form, and other text is unchanged', () => {
  for (const [entered, address] of [
    [' HTTPS://A.io:443//x///y/?q#h ', 'https://a.io/x/y'],
    ['https://ann:pw@a.io/', 'https://a.io'],
    ['http://a.io:8080/x', 'http://a.io:8080/x'],
    [' no address ', 'no address'],
  ] as const) {
    assert.equal(normalizeBaseUrl(entered), address);
  }
});

test('a date is compared with the date of the response, else with our clock', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  const date = 'Sat, 21 Nov 2026 12:00:30 GMT';
  assert.equal(parseRetryAfter(date, now, 'Sat, 21 Nov 2026 12:00:10 GMT'), 20_000);
  assert.equal(parseRetryAfter(date, now, 'no date'), 30_000);
  assert.equal(parseRetryAfter('1.25', now), 1_250);
  for (const text of ['x Sat, 21 Nov 2026', '2026-11-21', '5 s', 'x5'])
    assert.equal(parseRetryAfter(text, now), null, text);
});

test('fields are read along a path, and only strings are texts', () => {
  const json = { a: { b: 'x', c: null, d: ['y'], e: 7 } };
  assert.deepEqual([readField(json, 'a', 'b'), readField(json, 'a', 'd', '0'), readField(json)], ['x', 'y', json]);
  for (const path of [['x'], ['a', 'c', 'd'], ['a', 'b', 'c'], ['a', 'e', 'f']])
    assert.equal(readField(json, ...path), undefined);
  assert.deepEqual([readText(json, 'a', 'b'), readText(json, 'a', 'e'), readText(json, 'x')], ['x', null, null]);
  assert.equal(readField(null, 'a'), undefined);
});

test('a cover is recognised by its first bytes', async (context) => {
  let bytes = Buffer.alloc(0);
  const origin = await startServer(context, (_request, response) => response.end(bytes));
  const options = {
    connection: { baseUrl: origin, credentials: {} },
    ...{ timeoutMs: 2_000, now: () => new Date(), allowPrivate: true },
  };
  const read = async (content: string) => {
    bytes = Buffer.from(content, 'latin1');
    return (await downloadImage(origin, options))?.type ?? null;
  };
  assert.equal(await read('\x89PNG\r\n\x1a\nx'), 'image/png');
  assert.equal(await read('\xff\xd8\xffx'), 'image/jpeg');
  for (const head of ['GIF87a', 'GIF89a']) assert.equal(await read(`${head}x`), 'image/gif');
  assert.equal(await read('RIFFxxxxWEBPxx'), 'image/webp');
  for (const other of ['', 'GIF88a', 'xGIF89a', 'RIFFxxxxWAVE', 'xxxxxxxxWEBP', 'x\xff\xd8\xff', 'PNG']) {
    assert.equal(await read(other), null, other);
  }
});
