/** Feeds of every format and encoding, well-formed or not, are read or rejected with a reason. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { convertPost } from '../../../article/import/convert-post.ts';
import { readFeed } from '../../../article/import/feed/read-feed.ts';
import { readDocument } from '../../../article/read-document.ts';
import { sharedPath } from '../../support/shared-data.ts';

const URL_OF_FEED = 'https://feeds.example/blog/feed.xml';
const read = (text: string | Uint8Array, contentType = '') =>
  readFeed({ bytes: typeof text === 'string' ? Buffer.from(text) : text, contentType, url: URL_OF_FEED });

function readOne(text: string | Uint8Array, contentType = '') {
  const reading = read(text, contentType);
  assert.ok(reading.ok, JSON.stringify(reading));
  const [post] = reading.feed.posts;
  assert.ok(post);
  return post;
}

const folder = sharedPath('feeds');
test('every sample feed is read or rejected with a reason, and its posts can be published', {
  skip: folder.skip,
}, () => {
  const files = readdirSync(folder.path);
  assert.ok(files.length > 50);
  for (const file of files) {
    const reading = read(readFileSync(join(folder.path, file)));
    if (!reading.ok) {
      assert.match(reading.reason, /\.$/, file);
      continue;
    }
    for (const post of reading.feed.posts) {
      const { document } = convertPost(post, { isDraft: false });
      const again = readDocument({ content: document, now: new Date() });
      assert.ok(again.ok, `${file}: ${JSON.stringify(again)}`);
    }
  }
});

const ITEM = '<item><title>Grüße</title><guid>1</guid><description>Text</description></item>';
const rss = (encoding: string) =>
  `<?xml version="1.0" encoding="${encoding}"?><rss version="2.0"><channel>${ITEM}</channel></rss>`;

const ENCODED: [name: string, bytes: Uint8Array, contentType: string][] = [
  ['UTF-8', Buffer.from(rss('utf-8')), ''],
  ['declared ISO-8859-1', Buffer.from(rss('iso-8859-1'), 'latin1'), ''],
  ['ISO-8859-1 by Content-Type alone', Buffer.from(rss('utf-8'), 'latin1'), 'text/xml; charset=iso-8859-1'],
  ['UTF-16 with a byte order mark', Buffer.from(`\ufeff${rss('utf-16')}`, 'utf16le'), ''],
  ['UTF-16 without one', Buffer.from(rss('utf-16'), 'utf16le'), ''],
  ['UTF-8 that Content-Type calls US-ASCII', Buffer.from(rss('utf-8')), 'text/xml; charset=nonsense'],
];
for (const [name, bytes, contentType] of ENCODED) {
  test(`a feed in ${name} is decoded correctly`, () => assert.equal(readOne(bytes, contentType).title, 'Grüße'));
}

test('bytes that are invalid in every named encoding are guessed, and the feed is marked as guessed', () => {
  const reading = read(Buffer.from(rss('utf-8'), 'latin1'));
  assert.ok(reading.ok && reading.feed.isGuessed);
});

test('addresses in an Atom entry resolve against xml:base', () => {
  const atom = `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://a.example/"><entry xml:base="blog/"><id>urn:1</id><title type="html">A &lt;b&gt;b&lt;/b&gt;</title>
    <link rel="alternate" href="post"/><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><a href="../x">x</a></div></content></entry></feed>`;
  const post = readOne(atom);
  assert.equal(post.title, 'A b');
  assert.match(convertPost(post, { isDraft: false }).document, /\[x\]\(https:\/\/[^)]+\/x\)/);
});

test('JSON Feed is read like other formats; a web page is rejected', () => {
  const json = {
    version: 'https://jsonfeed.org/version/1.1',
    title: 'x',
    next_url: '/feed?2',
    items: [{ id: '1', title: 'One', content_text: 'a < b' }],
  };
  const reading = read(JSON.stringify(json));
  assert.ok(reading.ok);
  assert.equal(reading.feed.earlier, 'https://feeds.example/feed?2');
  assert.match(convertPost(reading.feed.posts[0] as never, { isDraft: false }).document, /a < b/);
  const page = read('<!DOCTYPE html><html><body>Sign in</body></html>');
  assert.deepEqual([page.ok, page.ok ? '' : page.code], [false, 'feed_is_page']);
});

test('many comments before the root element are read in linear time', () => {
  const begin = performance.now();
  const comments = '<!--a-->'.repeat(5_000);
  const reading = read(`${comments}<rss version="2.0"><channel><item><title>T</title></item></channel></rss>`);
  assert.ok(reading.ok && reading.feed.posts.length === 1);
  assert.ok(performance.now() - begin < 5_000);
});

test('a document type is removed, with its entities', () => {
  const entities = '<!DOCTYPE rss [<!ENTITY a "]>aaa"><!ENTITY f SYSTEM "file:///etc/passwd">]>';
  const post = readOne(
    `<?xml version="1.0"?><!-- <!DOCTYPE x> -->${entities}<rss version="2.0"><channel><item><title>&a;&f;</title></item></channel></rss>`,
  );
  assert.doesNotMatch(post.title, /aaa|root/);
});

test('two entries with one id and two addresses are two posts', () => {
  const items = [1, 2].map(
    (n) => `<item><title>${n}</title><guid>same</guid><link>https://a.example/${n}</link></item>`,
  );
  const reading = read(`<rss version="2.0"><channel>${items.join('')}</channel></rss>`);
  assert.ok(reading.ok);
  assert.equal(new Set(reading.feed.posts.map(({ remoteId }) => remoteId)).size, 2);
});
