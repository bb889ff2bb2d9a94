/** Identifiers of a source, as authors enter them, and the address that is read for each. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readName, readUrl, splitLastPart } from '../../sources/identifier.ts';
import { SOURCES } from '../../sources/registry.ts';

const read = (source: keyof typeof SOURCES, identifier: string, connectedTo: string | null = null) => {
  const place = SOURCES[source].readPlace(identifier, connectedTo);
  return 'problem' in place ? place.problem : [place.baseUrl, place.name, place.origin];
};

test('every source has its name and the time between two requests', () => {
  assert.deepEqual(
    Object.entries(SOURCES).map(([key, { label, intervalMs }]) => [key, label, intervalMs]),
    [
      ['blogsite_a', 'DEV', 400],
      ['blogsite_b', 'Hashnode', 250],
      ['blogsite_c', 'Medium', 1_000],
      ['rss', 'RSS', 500],
    ],
  );
});

test('a feed is any web address, and is identified without its scheme', () => {
  assert.deepEqual(read('rss', ' https://a.io/feed.xml?a=b '), ['https://a.io/feed.xml?a=b', '', 'a.io/feed.xml?a=b']);
  assert.deepEqual(read('rss', 'a.io'), ['https://a.io/', '', 'a.io/']);
  for (const text of ['ann', 'a b.io', 'https://', '']) {
    assert.equal(read('rss', text), 'Enter the address of a feed, such as https://example.org/feed.xml.', text);
  }
});

test('a Forem user is a name at DEV or at the connected instance, or an address', () => {
  const dev = ['https://dev.to/api', 'ann', 'dev.to'];
  for (const text of ['ann', ' @ann ', 'https://dev.to/ann', 'dev.to/ann/'])
    assert.deepEqual(read('blogsite_a', text), dev, text);
  assert.deepEqual(read('blogsite_a', 'ann', 'https://forem.example/api'), [
    'https://forem.example/api',
    'ann',
    'forem.example',
  ]);
  assert.deepEqual(read('blogsite_a', 'https://a.io/forem/ann'), ['https://a.io/forem/api', 'ann', 'a.io/forem']);
  const problem = 'Enter the user name at DEV, or the address of the profile there.';
  for (const text of ['a b', 'https://dev.to/', '']) assert.equal(read('blogsite_a', text), problem, text);
});

test('a Hashnode blog is a host or an address, a user a name or a profile', () => {
  const api = 'https://gql-beta.hashnode.com';
  for (const text of ['ann', '@ann', 'https://hashnode.com/@ann', 'hashnode.com/@ann/']) {
    assert.deepEqual(read('blogsite_b', text), [api, 'ann', 'hashnode'], text);
  }
  assert.deepEqual(read('blogsite_b', 'ann.hashnode.dev'), [api, 'https://ann.hashnode.dev', 'hashnode']);
  assert.deepEqual(read('blogsite_b', 'http://a.io/blog//'), [api, 'http://a.io/blog', 'hashnode']);
  for (const path of ['hashnode.com/@ann/x', 'xhashnode.com/@ann', 'hashnode.com/ann'])
    assert.deepEqual(read('blogsite_b', path), [api, `https://${path}`, 'hashnode'], path);
  assert.deepEqual(read('blogsite_b', 'ann', 'https://proxy.example'), ['https://proxy.example', 'ann', 'hashnode']);
  const problem = 'Enter the host of the blog at Hashnode (ann.hashnode.dev), or the user name.';
  for (const text of ['a b', 'https://hashnode.com/@%']) assert.equal(read('blogsite_b', text), problem, text);
});

test('a Medium user is a name, a profile, a publication or a feed of one', () => {
  const feed = (path: string, name: string) => [`https://medium.com${path}`, name, 'medium'];
  for (const text of ['ann', '@ann']) assert.deepEqual(read('blogsite_c', text), feed('/feed/@ann', 'ann'));
  assert.deepEqual(read('blogsite_c', 'https://medium.com/@ann/'), feed('/feed/@ann', 'ann'));
  assert.deepEqual(read('blogsite_c', 'medium.com/publication'), feed('/feed/publication', ''));
  assert.deepEqual(read('blogsite_c', 'medium.com/feed/@ann'), feed('/feed/@ann', 'ann'));
  assert.deepEqual(read('blogsite_c', 'medium.com/x/feed'), feed('/x/feed', ''));
  assert.deepEqual(read('blogsite_c', 'medium.com/feeds'), feed('/feed/feeds', ''));
  assert.deepEqual(read('blogsite_c', 'ann.medium.com'), ['https://ann.medium.com/feed', 'ann', 'medium']);
  assert.deepEqual(read('blogsite_c', 'a.ann.medium.com'), ['https://a.ann.medium.com/feed', '', 'medium']);
  assert.deepEqual(read('blogsite_c', 'https://blog.example/@ann'), [
    'https://blog.example/feed/@ann',
    'ann',
    'medium',
  ]);
  assert.deepEqual(read('blogsite_c', 'ann', 'https://api.medium.com/v1'), feed('/feed/@ann', 'ann'));
  assert.deepEqual(read('blogsite_c', 'ann', 'http://localhost:4010/medium/v1'), [
    'http://localhost:4010/medium/feed/@ann',
    'ann',
    'medium',
  ]);
  assert.equal(read('blogsite_c', 'a b'), 'Enter the user name at Medium, or the address of the profile there.');
});

test('hosts, names and addresses are distinguished', () => {
  const url = (text: string) => readUrl(text)?.href ?? null;
  assert.equal(url('HTTPS://A.io/x'), 'https://a.io/x');
  assert.equal(url('bücher.example:8080/x'), 'https://xn--bcher-kva.example:8080/x');
  for (const text of [
    'ann',
    'ann.',
    '.ann',
    'a_b.io',
    'ftp://a.io',
    'x https://a.io',
    'a.io:x',
    'a.io?x',
    `https://a.io/${'x'.repeat(1_988)}`,
  ]) {
    assert.equal(url(text), null, text);
  }
  assert.ok(url(`https://a.io/${'x'.repeat(1_987)}`));
  assert.deepEqual(['@ann', ' a.b-c_1 ', 'Ünal', 'x'.repeat(100)].map(readName), [
    'ann',
    'a.b-c_1',
    'Ünal',
    'x'.repeat(100),
  ]);
  for (const text of ['', '@', '@@ann', '-a', '.a', 'a/b', 'a b', 'x'.repeat(101)])
    assert.equal(readName(text), null, text);
  assert.deepEqual(splitLastPart(new URL('https://a.io//x//y/')), { before: 'https://a.io/x', last: 'y' });
  assert.deepEqual(splitLastPart(new URL('https://a.io/')), { before: 'https://a.io', last: '' });
});
