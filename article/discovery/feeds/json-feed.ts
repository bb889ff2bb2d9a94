/** JSON Feed 1.1. */
import { generateJsonFeed } from 'feedsmith';
import { buildEntryId, type Feed, type FeedEntry, listCategories } from './feed.ts';
import { makeReadable } from './readable.ts';

export function formatJsonFeed(feed: Feed): string {
  const { title, description, pageUrl, url, entries } = makeReadable(feed);
  return JSON.stringify(
    generateJsonFeed({ title, description, home_page_url: pageUrl, feed_url: url, items: entries.map(buildItem) }),
  );
}

function buildItem(entry: FeedEntry) {
  const { title, excerpt, html, url, canonicalUrl, language, coverImage, author, publishedAt, updatedAt } = entry;
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
    // `external_url` is what a post is about; that the same text stands elsewhere has no field of its own.
    ...(canonicalUrl === url ? {} : { _courant: { canonical_url: canonicalUrl } }),
  };
}
