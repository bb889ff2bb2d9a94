/** Feeds pass a strict reader, whatever authors write, and have the contents of the article. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatAtom, formatJsonFeed, formatRss } from '../../../article/discovery/feeds/feed-formats.ts';
import { makeReadable } from '../../../article/discovery/feeds/readable.ts';
import { runs } from '../../support/property-runs.ts';
import { buildFeed, buildFeedEntry } from '../support/feeds.ts';
import { findAll, findText, readXml } from '../support/read-xml.ts';

const SYNTAX = [
  ']]>',
  '<![CDATA[',
  '</item>',
  '<script>alert(1)</script>',
  '&#0;',
  '&amp;',
  '&',
  '"',
  "'",
  '<!--',
  '<?x',
];
const ODD = [
  '\u0000',
  '\u0001',
  '\u001b[31m',
  '\r\n',
  '\r',
  '\u0085',
  '\u2028',
  '\ufffe',
  '\uffff',
  '\u202e',
  '\ud800',
  '\udc00',
];
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(...SYNTAX, ...ODD, '日本語', 'مرحبا', '👩‍💻', ' '),
      fc.string({ unit: 'binary' }),
      fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

const entries = fc
  .record({ title: hostile, excerpt: hostile, html: fc.option(hostile), tags: fc.array(hostile, { maxLength: 4 }) })
  .chain((texts) => fc.tuple(fc.constant(texts), hostile, hostile, hostile, fc.constantFrom('de', 'ar', null)))
  .map(([texts, name, category, coverImage, language]) =>
    buildFeedEntry({
      ...texts,
      category,
      coverImage,
      language,
      author: { name, url: 'https://courant.example/authors/ada' },
    }),
  );

test('feeds of any text are well-formed and contain the text unchanged (A48)', () => {
  fc.assert(
    fc.property(entries, (entry) => {
      const [readable] = makeReadable(buildFeed(entry)).entries;
      assert.ok(readable);
      const item = findAll(findAll(readXml(formatRss(buildFeed(entry))), 'channel')[0], 'item')[0];
      assert.equal(findText(item, 'title'), readable.title);
      assert.equal(findText(item, 'description') ?? '', readable.excerpt);
      assert.equal(findText(item, 'content:encoded') ?? null, readable.html);
      const atom = findAll(readXml(formatAtom(buildFeed(entry))), 'entry')[0];
      assert.equal(findText(atom, 'title'), readable.title);
      assert.equal(findText(atom, 'content') ?? null, readable.html);
      assert.deepEqual(
        findAll(atom, 'category').map(({ attributes }) => attributes.term),
        [...new Set([...readable.tags, ...(readable.category === null ? [] : [readable.category])])],
      );
      const json = JSON.parse(formatJsonFeed(buildFeed(entry))) as { items: Record<string, unknown>[] };
      assert.equal(json.items[0]?.title, readable.title);
      assert.equal(json.items[0]?.content_html ?? null, readable.html);
    }),
    { numRuns: runs(500) },
  );
});

test('text that XML can hold is read back unchanged', () => {
  const writable = fc
    .string({ unit: 'grapheme', minLength: 1 })
    .map((text) => `<p>${text.replace(/</g, '&#x3C;')} ]]> &#x26;</p>`);
  fc.assert(
    fc.property(writable, (html) => {
      const item = findAll(findAll(readXml(formatRss(buildFeed(buildFeedEntry({ html })))), 'channel')[0], 'item')[0];
      assert.equal(findText(item, 'content:encoded'), html);
    }),
    { numRuns: runs(100) },
  );
});

test('an article’s feed id stays the same when its slug, address or title changes', () => {
  const before = buildFeedEntry();
  const after = buildFeedEntry({ url: 'https://moved.example/renamed', title: 'Renamed' });
  for (const entry of [before, after]) {
    const rss = findAll(readXml(formatRss(buildFeed(entry))), 'channel')[0];
    const guid = findAll(findAll(rss, 'item')[0], 'guid')[0];
    assert.deepEqual([guid?.text.trim(), guid?.attributes.isPermaLink], [`urn:uuid:${entry.id}`, 'false']);
    assert.equal(findText(findAll(readXml(formatAtom(buildFeed(entry))), 'entry')[0], 'id'), `urn:uuid:${entry.id}`);
    const json = JSON.parse(formatJsonFeed(buildFeed(entry))) as { items: { id: string; url: string }[] };
    assert.deepEqual([json.items[0]?.id, json.items[0]?.url], [`urn:uuid:${entry.id}`, entry.url]);
  }
});

test('an excerpt of a megabyte is cut, and an entry without HTML has its excerpt', () => {
  const entry = buildFeedEntry({ excerpt: 'word '.repeat(200_000), html: null });
  const item = findAll(findAll(readXml(formatRss(buildFeed(entry))), 'channel')[0], 'item')[0];
  assert.ok((findText(item, 'description') ?? '').length <= 1_000);
  assert.equal(findText(item, 'content:encoded'), undefined);
  const json = JSON.parse(formatJsonFeed(buildFeed(entry))) as { items: { content_text: string }[] };
  assert.ok((json.items[0]?.content_text.length ?? 0) > 900);
});

test('an entry has its author, dates, language, categories, cover, canonical address and content signal', () => {
  const entry = buildFeedEntry({
    language: 'de',
    coverImage: '/covers/a&b.png',
    canonicalUrl: 'https://elsewhere.example/a?b=1&c=2',
    contentSignal: 'search=yes, ai-train=no',
  });
  const item = findAll(findAll(readXml(formatRss(buildFeed(entry))), 'channel')[0], 'item')[0];
  assert.deepEqual(
    ['dc:creator', 'dc:language', 'dc:rights', 'pubDate', 'atom:updated'].map((name) => findText(item, name)),
    [
      'Ada',
      'de',
      'Content-Signal: search=yes, ai-train=no',
      'Fri, 20 Nov 2026 10:00:00 GMT',
      '2026-11-21T10:00:00.000Z',
    ],
  );
  assert.deepEqual(
    findAll(item, 'category').map(({ text }) => text.trim()),
    ['typescript', 'backend'],
  );
  assert.equal(findAll(item, 'media:content')[0]?.attributes.url, 'https://courant.example/covers/a&b.png');
  assert.equal(findAll(item, 'atom:link')[0]?.attributes.href, entry.canonicalUrl);
  const atom = findAll(readXml(formatAtom(buildFeed(entry))), 'entry')[0];
  assert.equal(atom?.attributes['xml:lang'], 'de');
  assert.equal(findText(atom, 'rights'), 'Content-Signal: search=yes, ai-train=no');
  assert.deepEqual(
    findAll(atom, 'link').map(({ attributes }) => [attributes.rel, attributes.href]),
    [
      ['alternate', entry.url],
      ['canonical', entry.canonicalUrl],
    ],
  );
  const json = JSON.parse(formatJsonFeed(buildFeed(entry))) as { items: Record<string, unknown>[] };
  assert.partialDeepStrictEqual(json.items[0], {
    language: 'de',
    image: 'https://courant.example/covers/a&b.png',
    date_published: '2026-11-20T10:00:00.000Z',
    date_modified: '2026-11-21T10:00:00.000Z',
    tags: ['typescript', 'backend'],
    authors: [{ name: 'Ada' }],
    _courant: { canonical_url: entry.canonicalUrl, content_signal: 'search=yes, ai-train=no' },
  });
});
