/** JSON Feed 1.1. */
import { generateJsonFeed } from 'feedsmith';
import { buildEntryId, type Feed, type FeedEntry, listCategories } from './feed.ts';
import { makeReadable } from './readable.ts';

export function formatJsonFeed(feed: Feed): string {
  const { title, description, pageUrl, url, entries } = makeReadable(feed);
  const filled = { title, description, home_page_url: pageUrl, feed_url: url, items: entries.map(buildItem) };
  // The generator leaves out what is empty, and a feed without `items` is none.
  return JSON.stringify({ items: [], ...(generateJsonFeed(filled) as object) });
}

function buildItem(entry: FeedEntry) {
  const {
    title,
    excerpt,
    html,
    url,
    canonicalUrl,
    language,
    coverImage,
    author,
    contentSignal,
    publishedAt,
    updatedAt,
  } = entry;
  return {
    id: buildEntryId(entry),
    url,
    title,
    // One of the two is required; without a text, the title is all there is.
    ...(html === null ? { content_text: excerpt || title } : { content_html: html }),
    ...(excerpt === '' ? {} : { summary: excerpt }),
    ...(coverImage === null ? {} : { image: coverImage }),
    date_published: publishedAt,
    date_modified: updatedAt,
    authors: [author],
    tags: listCategories(entry),
    ...(language === null ? {} : { language }),
    // For these two the format has no field: `external_url` would be what a post is about.
    _courant: {
      canonical_url: canonicalUrl,
      ...(contentSignal === null ? {} : { content_signal: contentSignal }),
    },
  };
}
