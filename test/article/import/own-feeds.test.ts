/** An import reads from the feeds of this service what they contain: a round trip per format. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatAtom, formatJsonFeed, formatRss } from '../../../article/discovery/feeds/feed-formats.ts';
import { makeReadable } from '../../../article/discovery/feeds/readable.ts';
import { convertPost } from '../../../article/import/convert-post.ts';
import { readFeed } from '../../../article/import/feed/read-feed.ts';
import { readDocument } from '../../../article/read-document.ts';
import { runs } from '../../support/property-runs.ts';
import { NOW, SITE } from '../support/documents.ts';
import { buildFeed, buildFeedEntry } from '../support/feeds.ts';
import { textArbitrary } from '../support/frontmatter-arbitrary.ts';

const FORMATS = { rss: formatRss, atom: formatAtom, json: formatJsonFeed };
const time = fc.date({ min: new Date('1971-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });

const entries = fc.record(
  {
    title: textArbitrary,
    excerpt: textArbitrary,
    html: textArbitrary.map((text) => `<p>${text.replaceAll('&', '&#x26;').replaceAll('<', '&#x3C;')}</p>`),
    tags: fc.uniqueArray(textArbitrary, { maxLength: 4 }),
    category: fc.constantFrom(null, 'backend'),
    language: fc.constantFrom(null, 'de', 'en-US'),
    url: fc.constantFrom(`${SITE}/an-article`, `${SITE}/über-uns_2`),
    canonicalUrl: fc.constantFrom(`${SITE}/an-article`, 'https://elsewhere.example/a?b=1&c=2'),
    coverImage: fc.constantFrom(null, `${SITE}/covers/a.png?b=1&c=2`),
    publishedAt: time,
    updatedAt: time,
  },
  { noNullPrototype: true },
);

for (const [format, write] of Object.entries(FORMATS)) {
  test(`an entry of our feed is imported unchanged: ${format}`, () => {
    fc.assert(
      fc.property(entries, (parts) => {
        const original = buildFeedEntry(parts);
        const bytes = Buffer.from(write(buildFeed(original)));
        const reading = readFeed({ bytes, contentType: '', url: `${SITE}/feed` });
        assert.ok(reading.ok, JSON.stringify(reading));
        const [post] = reading.feed.posts;
        const [entry] = makeReadable(buildFeed(original)).entries;
        assert.ok(post && entry);
        const toSecond = (at: Date | string) =>
          format === 'rss' ? new Date(at).setMilliseconds(0) : new Date(at).getTime();
        assert.deepEqual(
          [post.title, post.url, post.body.text, post.coverImage, post.language],
          [entry.title, new URL(entry.url).href, entry.html, entry.coverImage, entry.language],
        );
        assert.deepEqual(post.tags, [
          ...new Set([...entry.tags, ...(entry.category === null ? [] : [entry.category])]),
        ]);
        assert.equal(toSecond(post.publishedAt ?? ''), toSecond(entry.publishedAt));
        const { document } = convertPost(post, { isDraft: false });
        const result = readDocument({ content: document, now: NOW });
        assert.ok(result.ok);
        assert.deepEqual([result.draft.title, result.draft.language], [entry.title, entry.language]);
        // JSON Feed has no field for it.
        if (format !== 'json') assert.equal(result.draft.canonicalUrl, new URL(entry.canonicalUrl).href);
      }),
      { numRuns: runs(100) },
    );
  });
}
