/**
 * Canonical and base URLs are stored as valid RFC 3986 URIs, as `format: uri` in OpenAPI requires.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { IsUri } from 'typebox/format';
import { isSiteRoot, normaliseCanonicalUrl } from '../../../article/identity/canonical.ts';
import { readDocument } from '../../../article/read-document.ts';
import { runs } from '../../support/property-runs.ts';

const now = new Date('2026-01-01T00:00:00Z');
function read(canonicalUrl: string) {
  const found = readDocument({ content: '---\ntitle: A\n---\nText.', canonicalUrl, now });
  return found.ok ? found.draft.canonicalUrl : found.problems.map(({ path }) => path);
}

test('spaces and other characters that a URI cannot have are percent-encoded', () => {
  for (const [input, stored] of [
    ['https://a.example/my first post', 'https://a.example/my%20first%20post'],
    ['  https://a.example/post  ', 'https://a.example/post'],
    ['https://a.example/a|b?c={d}#e|f#g', 'https://a.example/a%7Cb?c=%7Bd%7D#e%7Cf%23g'],
    ['https://a.example/100%?q=%zz%41', 'https://a.example/100%25?q=%25zz%41'],
    ['https://größe.example/Größe', 'https://xn--gre-6ka8i.example/Gr%C3%B6%C3%9Fe'],
    ['https://[2001:db8::1]/[a]', 'https://[2001:db8::1]/%5Ba%5D'],
    ['   ', null],
    ['', null],
  ] as const) {
    assert.equal(read(input), stored, input);
  }
});

test('a value that is not an absolute http(s) address is rejected with the name of its field', () => {
  for (const input of [
    'https://a b.example/',
    'a.example/post',
    'https:// a.example/',
    'ftp://a.example/',
    'https://[a]/',
  ]) {
    assert.deepEqual(read(input), ['canonicalUrl'], input);
  }
});

test('any accepted address is stored as a URI of the same page', () => {
  const part = fc.string({ unit: 'binary', maxLength: 12 });
  fc.assert(
    fc.property(part, part, part, (path, query, fragment) => {
      const input = `https://a.example/x${path}?${query}#${fragment}`;
      const stored = read(input);
      if (Array.isArray(stored)) return;
      assert.ok(stored !== null && IsUri(stored), `${input} → ${stored}`);
      assert.equal(read(stored), stored);
    }),
    { numRuns: runs(300) },
  );
  assert.equal(
    normaliseCanonicalUrl('https://a.example/a b'),
    normaliseCanonicalUrl(String(read('https://a.example/a b'))),
  );
});

test('canonical URLs are compared without scheme, default port, tracking, fragment and order of the query', () => {
  for (const [url, compared] of [
    ['http://A.example:80/Path//?b=2&a=1&utm_source=x#part', 'https://a.example/Path?a=1&b=2'],
    ['https://a.example:443/?fbclid=1&gclid=2&MC_CID=3&mc_eid=4&UTM_x=5', 'https://a.example'],
    ['https://a.example:8443/x?xfbclid=1&fbclidx=2&a_utm_=3', 'https://a.example:8443/x?a_utm_=3&fbclidx=2&xfbclid=1'],
    ['http://a.example:443/', 'https://a.example'],
    [' ftp://a.example/ ', 'ftp://a.example/'],
    ['https://user@a.example/', 'https://user@a.example/'],
    ['https://:secret@a.example/', 'https://:secret@a.example/'],
    ['https:/a.example', 'https:/a.example'],
    ['https:///a.example', 'https:///a.example'],
    ['xhttps://a.example/', 'xhttps://a.example/'],
  ] as const)
    assert.equal(normaliseCanonicalUrl(url), compared, url);
});

test('the root of a site is an address without path and query, apart from tracking', () => {
  for (const url of ['https://a.example', 'http://a.example//', 'https://a.example/?utm_source=x#part'])
    assert.equal(isSiteRoot(url), true, url);
  for (const url of [
    'https://a.example/x',
    'https://a.example/?p=1',
    'https://a.example/?p=1&utm_x=2',
    'a.example',
    '',
  ])
    assert.equal(isSiteRoot(url), false, url);
});
