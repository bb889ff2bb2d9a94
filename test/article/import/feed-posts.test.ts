/** Tests the post that an entry of a feed becomes, and feeds that cannot be read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RawFeedEntry, readEntry, readFeedAddress, readFeedTime } from '../../../article/import/feed/entry.ts';
import { readFeed } from '../../../article/import/feed/read-feed.ts';
import { hashId, shortenId } from '../../../article/import/source-post.ts';

const NOTHING: RawFeedEntry = {
  ...{ id: null, url: null, canonical: null, title: null, content: null, summary: null, plain: null, base: null },
  ...{ tags: [], image: null, language: null, publishedAt: null, updatedAt: null },
};
const KIND = { format: 'html', feedUrl: 'https://f.example/blog/feed' } as const;
const readPost = (raw: Partial<RawFeedEntry>, kind: Parameters<typeof readEntry>[1] = KIND) =>
  readEntry({ ...NOTHING, ...raw }, kind);

test('an entry becomes a post with absolute addresses', () => {
  const post = readPost({
    ...{ id: ' the id ', url: '../posts/my-post.html', canonical: '/c', title: { text: 'A &amp; B', isHtml: true } },
    ...{ content: '<p>Text</p>', summary: 'An <b>abstract</b>.', base: '/base/', tags: ['a'], image: 'i.png' },
    ...{ language: 'de', publishedAt: '2026-01-02', updatedAt: '2026-01-03' },
  });
  assert.deepEqual(post, {
    ...{ remoteId: 'the id', url: 'https://f.example/posts/my-post.html', title: 'A & B', subtitle: null },
    ...{ excerpt: 'An abstract.', tags: ['a'], slug: 'my-post', canonicalUrl: 'https://f.example/c' },
    ...{ coverImage: 'https://f.example/base/i.png', series: null, language: 'de' },
    ...{ publishedAt: '2026-01-02T00:00:00.000Z', updatedAt: '2026-01-03T00:00:00.000Z' },
    body: { format: 'html', text: '<p>Text</p>', base: 'https://f.example/base/', isExcerpt: false },
  });
});

test('an entry without some parts takes them from others', () => {
  const title = { text: 'A &amp; B', isHtml: false };
  const named = readPost({ id: 'https://p.example/x', title, updatedAt: '2026-01-03' });
  assert.equal(named?.title, 'A &amp; B');
  assert.deepEqual(
    [named?.url, named?.body.base, named?.publishedAt],
    ['https://p.example/x', 'https://p.example/x', '2026-01-03T00:00:00.000Z'],
  );
  const nameless = readPost({ title: { text: 'T', isHtml: false }, plain: 'Text.' });
  assert.deepEqual(
    [nameless?.remoteId, nameless?.url, nameless?.slug, nameless?.body],
    [hashId('TText.'), null, null, { format: 'text', text: 'Text.', base: KIND.feedUrl, isExcerpt: false }],
  );
  assert.equal(readPost({ id: ' ', url: '/u', plain: 'x' })?.remoteId, 'https://f.example/u');
  assert.deepEqual([readPost({}), readPost({ title: { text: ' ', isHtml: false }, summary: ' ' })], [null, null]);
  assert.equal(readPost({ title: { text: ' ', isHtml: false }, summary: 'x' })?.title, ' ');
});

test('a summary beside a text is its abstract, unless it is long or cut off', () => {
  const excerpt = (summary: string | null, content: string | null = 'Text') => readPost({ content, summary })?.excerpt;
  assert.equal(excerpt('x'.repeat(1_000)), 'x'.repeat(1_000));
  for (const summary of [
    'x'.repeat(1_001),
    '',
    null,
    'Text …',
    'Text [...]',
    'Text. Continue reading A title',
    'Read more',
  ])
    assert.equal(excerpt(summary), null, summary ?? 'none');
  assert.equal(
    excerpt('Read more of this long and rather unusual story here.'),
    'Read more of this long and rather unusual story here.',
  );
  assert.equal(excerpt('A … in the middle'), 'A … in the middle');
  assert.equal(excerpt('Alone', null), null);
});

test('a summary alone is the text, and an excerpt if it is cut off or from Medium', () => {
  const isExcerpt = (summary: string, kind?: Parameters<typeof readEntry>[1]) =>
    readPost({ summary }, kind)?.body.isExcerpt;
  assert.deepEqual([isExcerpt('Whole.'), isExcerpt('Cut&hellip;')], [false, true]);
  assert.equal(isExcerpt('Whole.', { ...KIND, format: 'medium' }), true);
  assert.equal(readPost({ content: 'Cut …' })?.body.isExcerpt, false);
});

test('the slug of a post is the last segment of its address, if an author could have chosen it', () => {
  for (const [path, slug] of [
    ['a/my-post', 'my-post'],
    ['a/my-post/', 'my-post'],
    ['a/my-post/index.html', 'my-post'],
    ['my-post.php', 'my-post'],
    ['my-post.aspx', 'my-post'],
    ['my-post.HTM', 'my-post'],
    ['my-post.md', 'my-post'],
    ['my-post.pdf', null],
    ['gr%C3%B6%C3%9Fe', 'größe'],
    ['abc', 'abc'],
    ['ab', null],
    ['2024', null],
    ['a1b2c3', null],
    ['_post', null],
    ['x'.repeat(150), 'x'.repeat(150)],
    ['x'.repeat(151), null],
    ['', null],
  ] as const)
    assert.equal(readPost({ url: `https://p.example/${path}`, plain: 'x' })?.slug, slug, path);
});

test('addresses of a feed are http(s) without credentials, up to 2,000 characters', () => {
  const long = `https://p.example/${'x'.repeat(1_982)}`;
  for (const [address, read] of [
    [' /x ', 'https://b.example/x'],
    ['http://p.example/', 'http://p.example/'],
    [long, long],
    [`${long}x`, null],
    ['', null],
    [null, null],
    ['ftp://p.example/', null],
    ['https://u@p.example/', null],
    ['https://:pw@p.example/', null],
  ] as const)
    assert.equal(readFeedAddress(address, 'https://b.example/'), read, String(address).slice(0, 40));
  assert.equal(readFeedAddress('/x', null), null);
});

test('times of a feed are between 1970 and 9999', () => {
  for (const [text, read] of [
    [' Fri, 20 Nov 2026 10:00:00 GMT ', '2026-11-20T10:00:00.000Z'],
    ['1970-01-01T00:00:00.001Z', '1970-01-01T00:00:00.001Z'],
    ['1970-01-01T00:00:00Z', null],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['+010000-01-01T00:00:00Z', null],
    ['soon', null],
    [null, null],
  ] as const)
    assert.equal(readFeedTime(text), read, String(text));
});

test('a long id is replaced by its hash', () => {
  assert.equal(shortenId('x'.repeat(500)), 'x'.repeat(500));
  assert.match(shortenId('x'.repeat(501)), /^sha256:[0-9a-f]{64}$/);
});

const read = (text: string) =>
  readFeed({ bytes: Buffer.from(text), contentType: '', url: 'https://f.example/feed.xml' });

test('the posts of a feed are ordered by time, and empty entries are counted', () => {
  const item = (title: string, more = '') => `<item><title>${title}</title>${more}</item>`;
  const items = [
    ...[item('Untimed'), item('Old', '<pubDate>2025-01-01</pubDate>'), '<item><link>/x</link></item>'],
    ...[item('New', '<pubDate>2026-01-01</pubDate>'), item('Untimed too')],
  ];
  const reading = read(`<rss version="2.0"><channel>${items.join('')}</channel></rss>`);
  assert.ok(reading.ok);
  const { posts, ...rest } = reading.feed;
  assert.deepEqual(rest, { emptyEntries: 1, isGuessed: false, earlier: null });
  assert.deepEqual(
    posts.map(({ title }) => title),
    ['New', 'Old', 'Untimed', 'Untimed too'],
  );
});

test('a text that is no feed is rejected with what it is', () => {
  const page = 'It is a web page, not a feed. Enter the address of the feed itself.';
  for (const [text, code, reason] of [
    ['', 'feed_empty', /^The feed is empty\.$/],
    ['<!DOCTYPE rss>', 'feed_empty', /^The feed is empty\.$/],
    ['<!-- c --> <HTML><body></body></HTML>', 'feed_is_page', new RegExp(`^${page}$`)],
    ['<head></head>', 'feed_is_page', /./],
    ['<body></body>', 'feed_is_page', /./],
    ['<bodyguard/>', 'feed_unreadable', /^It is XML in an unknown format, or damaged \(.+\)\.$/],
    ['{"a": 1}', 'feed_unreadable', /^It is JSON, but not a JSON Feed \(.+\)\.$/],
    ['[1]', 'feed_unreadable', /^It is JSON, but not a JSON Feed/],
    ['Sign in', 'feed_unreadable', /^It is not RSS, RDF, Atom or JSON Feed\.$/],
  ] as const) {
    const reading = read(text);
    assert.ok(!reading.ok, text);
    assert.equal(reading.code, code, text);
    assert.match(reading.reason, reason, text);
  }
});
