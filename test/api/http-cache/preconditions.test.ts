import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchVersion } from '../../../api/http-cache/preconditions.ts';

const lastModified = Date.parse('2026-01-02T03:04:05Z');
const present = { etag: '"abc-br"', lastModified };
const sendRequest = (ifNoneMatch: string | undefined, ifModifiedSince?: string) =>
  matchVersion({ 'if-none-match': ifNoneMatch, 'if-modified-since': ifModifiedSince }, present);

test('If-None-Match matches the current version alone, in a list, as a weak tag, or by *', () => {
  for (const header of [
    '"abc-br"',
    'W/"abc-br"',
    '"x", "abc-br"',
    '"a,b" , W/"abc-br"',
    '"x",,"abc-br",',
    '*',
    ' * ',
  ]) {
    assert.equal(sendRequest(header), 'tag', header);
  }
});

test('another version, another coding and malformed tags do not match', () => {
  const malformed = [
    'abc-br',
    '"abc-br',
    'w/"abc-br"',
    '"abc-br" "x"',
    'W/*',
    '"abc-br", nonsense',
    '\\"abc-br\\"',
    '',
  ];
  for (const header of ['"abc"', '"abc-gzip"', ...malformed]) assert.equal(sendRequest(header), null, header);
  assert.equal(sendRequest(`${'"x",'.repeat(3_000)}"y"`), null);
});

test('If-None-Match takes precedence over If-Modified-Since', () => {
  assert.equal(sendRequest('"other"', 'Sat, 03 Jan 2026 00:00:00 GMT'), null);
  assert.equal(sendRequest('nonsense', 'Sat, 03 Jan 2026 00:00:00 GMT'), null);
  assert.equal(sendRequest('"abc-br"', 'Thu, 01 Jan 1970 00:00:00 GMT'), 'tag');
});

test('If-Modified-Since is read in all three date formats; other and future dates do not match', () => {
  for (const date of [
    ...['Fri, 02 Jan 2026 03:04:05 GMT', 'Friday, 02-Jan-26 03:04:05 GMT', 'Fri Jan  2 03:04:05 2026'],
    'Mon Jan 12 03:04:05 2026',
  ]) {
    assert.equal(sendRequest(undefined, date), 'date', date);
  }
  assert.equal(sendRequest(undefined, 'Fri, 02 Jan 2026 03:04:04 GMT'), null);
  assert.equal(sendRequest(undefined), null);
  const malformed = [
    ...['on Sat, 03 Jan 2026 03:04:05 GMT', 'Sat, 03 Jan 2026 03:04:05 GMT+0100', 'Sat, 3 Jan 2026 03:04:05 GMT'],
    ...[
      'on Sat Jan  3 03:04:05 2026',
      'Sat Jan  3 03:04:05 2026 BC',
      'Sat Jan 3 03:04:05 2026',
      'Sat, 99 Jan 2026 03:04:05 GMT',
    ],
  ];
  for (const date of [...malformed, '2026-01-03', 'tomorrow', '', '99999999999999', 'Fri, 02 Jan 9999 03:04:05 GMT']) {
    assert.equal(sendRequest(undefined, date), null, date);
  }
});
