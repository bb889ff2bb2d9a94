/** Texts of users in mails: one line, bounded between graphemes; addresses of the web only. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanToOneLine, toWebAddress } from '../../mail/clean-text.ts';

test('a line of exactly the limit is complete; a longer one is cut between graphemes within the limit', () => {
  const FAMILY = '👨‍👩‍👧';
  for (const [text, expected] of [
    ['1234567890', '1234567890'],
    ['1234567890x', '123456789…'],
    ['12345678 0x', '12345678…'],
    [`12${FAMILY}`, `12${FAMILY}`],
    [`123${FAMILY}`, '123…'],
    [`1${FAMILY}`.padEnd(20), `1${FAMILY}`],
  ] as const) {
    assert.equal(cleanToOneLine(text, 10), expected, text);
  }
});

test('separators become one space; direction marks, soft hyphens and noncharacters are removed', () => {
  assert.equal(cleanToOneLine(' a\r\n\u2028b\u0000 \u00a0c ', 100), 'a b c');
  assert.equal(cleanToOneLine('a\u202eb\u00adc\ufeffd\uffff', 100), 'abcd');
  assert.equal(cleanToOneLine('a\ud800', 100), 'a\ufffd');
});

test('only absolute http(s) addresses of bounded length are links', () => {
  for (const address of [
    'https://blog.example/a?b#c',
    'http://blog.example/',
    `https://blog.example/${'x'.repeat(979)}`,
  ]) {
    assert.equal(toWebAddress(address, 'none'), address);
  }
  for (const address of [
    'javascript:alert(1)',
    '/a',
    'ftp://blog.example/',
    `https://blog.example/${'x'.repeat(980)}`,
  ]) {
    assert.equal(toWebAddress(address, 'none'), 'none');
  }
});
