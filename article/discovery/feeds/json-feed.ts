/** JSON Feed 1.1. */
import { generateJsonFeed } from 'feedsmith';
import { buildEntryId, type Feed, type FeedEntry, listCategories } from './feed.ts';
import { makeReadable } from './readable.ts';

export function formatJsonFeed(feed: Feed): string {
  const { title, description, pageUrl, url, entries } = makeReadable(feed);
  const filled = { title, description, home_page_url: pageUrl, feed_url: url, items: entries.map(buildItem) };
  // The generator leaves out empty fields, but a feed requires `items`.
  return JSON.stringify({ items: [], ...(generateJsonFeed(filled) as object) });
}

function buildItem(entry: FeedEntry) {
  return {
    id: buildEntryId(entry),
    url: entry.url,
    title: entry.title,
    // The format requires one of the two. Without HTML and excerpt, the title is used.
    ...(entry.html === null ? { content_text: entry.excerpt || entry.title } : { content_html: entry.html }),
    ...(entry.excerpt === '' ? {} : { summary: entry.excerpt }),
    ...(entry.coverImage === null ? {} : { image: entry.coverImage }),
    date_published: entry.publishedAt,
    date_modified: entry.updatedAt,
    authors: [entry.author],
    tags: listCategories(entry),
    ...(entry.language === null ? {} : { language: entry.language }),
    // The format has no field for these two: `external_url` is the page that a post is about.
    _courant: {
      canonical_url: entry.canonicalUrl,
      ...(entry.contentSignal === null ? {} : { content_signal: entry.contentSignal }),
    },
  };
}
