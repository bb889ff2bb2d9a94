import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { chooseCoding, compress, isWorthCompressing } from '../../../api/http-cache/encodings.ts';

test('the coding with the highest weight is chosen, and among equals the one with the smallest bodies', () => {
  for (const [header, coding] of [
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['br;q=0, gzip;q=0.001', 'gzip'],
    ['zstd, gzip', 'zstd'],
    ['*', 'br'],
    ['*;q=0', 'identity'],
    ['br;q=0, *', 'zstd'],
    ['identity', 'identity'],
    ['identity, gzip;q=0.5', 'identity'],
    ['identity;q=0.5, gzip;q=1', 'gzip'],
    ['identity;q=0', 'identity'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['br;q=high, gzip;q=0.2', 'gzip'],
    ['br;q=2', 'identity'],
    ['identity, gzip', 'gzip'],
    ['gzip;q=0.9, br;q=1.000', 'br'],
    ['gzip;q=0.9, br;q=1.', 'br'],
    ['gzip;q=0.9, br;q=1.0000', 'gzip'],
    ['gzip;q=0.9, br;q=1.001', 'gzip'],
    ['gzip;q=0.1, br;q=0.123', 'br'],
    ['gzip;q=0.1, br;q=0.1234', 'gzip'],
    ['gzip;q=0.1, br;q=0.5x', 'gzip'],
    ['gzip;q=0.1, br;q=x0.5', 'gzip'],
    ['br;level=9;q=0.1, gzip;q=0.2', 'gzip'],
    ['br;q=0.2;q=0.9, gzip;q=0.3', 'gzip'],
    [', ;q=1, gzip', 'gzip'],
    [`${'x, '.repeat(2_000)}gzip`, 'gzip'],
  ] as const) {
    assert.equal(chooseCoding(header), coding, String(header).slice(0, 60));
  }
});

test('a thousand different headers do not change the chosen coding', () => {
  for (let number = 0; number < 1_000; number++) assert.equal(chooseCoding(`gzip;q=0.5, x-${number}`), 'gzip');
  assert.equal(chooseCoding('gzip, deflate, br'), 'br');
});

test('compressed bodies decompress to the original', async () => {
  const body = Buffer.from('Words that come again. '.repeat(1_000));
  for (const [coding, read] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
    ['zstd', zstdDecompressSync],
  ] as const) {
    const compressed = await compress(body, coding);
    assert.ok(compressed.length < body.length / 10, coding);
    assert.ok(read(compressed).equals(body), coding);
  }
});

test('zstd takes more time than by default for smaller bodies', async () => {
  const words = Array.from({ length: 20_000 }, (_, n) => (n * n * 7_919) % 4_001);
  const body = Buffer.from(words.join(' '));
  assert.ok((await compress(body, 'zstd')).length < zstdCompressSync(body).length);
});

test('small bodies and pictures are not compressed', () => {
  assert.equal(isWorthCompressing('text/html', Buffer.alloc(1_023)), false);
  assert.equal(isWorthCompressing('text/html', Buffer.alloc(1_024)), true);
  for (const type of [
    'application/octet-stream',
    'application/jsonx',
    'application/zip',
    'x-text/html',
    'ximage/svg+xml',
  ])
    assert.equal(isWorthCompressing(type, Buffer.alloc(5_000)), false, type);
  assert.equal(isWorthCompressing('text/html; charset=utf-8', Buffer.alloc(1_000)), false);
  assert.equal(isWorthCompressing('image/png', Buffer.alloc(5_000)), false);
  for (const type of [
    'text/plain',
    'application/json; charset=utf-8',
    'application/rss+xml',
    'application/feed+json',
    'application/xml',
    'application/ld+json',
    'application/vnd.api-v1_2.x+json',
    'image/svg+xml',
  ]) {
    assert.equal(isWorthCompressing(type, Buffer.alloc(5_000)), true, type);
  }
});
