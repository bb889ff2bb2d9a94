/** RSS 2.0, with the full text as `content:encoded`. */
import { generateRssFeed } from 'feedsmith';
import { buildEntryId, type Feed, type FeedEntry, listCategories } from './feed.ts';
import { makeReadable } from './readable.ts';

export function formatRss(feed: Feed): string {
  const { title, description, pageUrl, url, updatedAt, entries } = makeReadable(feed);
  return generateRssFeed({
    title,
    description,
    link: pageUrl,
    generator: 'Courant',
    lastBuildDate: updatedAt,
    atom: { links: [{ href: url, rel: 'self', type: 'application/rss+xml' }] },
    items: entries.map(buildItem),
  });
}

function buildItem(entry: FeedEntry) {
  return {
    title: entry.title,
    link: entry.url,
    guid: { value: buildEntryId(entry), isPermaLink: false },
    description: entry.excerpt,
    pubDate: entry.publishedAt,
    categories: listCategories(entry).map((name) => ({ name })),
    // The `author` of RSS is an e-mail address.
    dc: {
      creators: [entry.author.name],
      ...(entry.language === null ? {} : { languages: [entry.language] }),
      ...(entry.contentSignal === null ? {} : { rights: [`Content-Signal: ${entry.contentSignal}`] }),
    },
    atom: {
      updated: entry.updatedAt,
      ...(entry.canonicalUrl === entry.url ? {} : { links: [{ href: entry.canonicalUrl, rel: 'canonical' }] }),
    },
    ...(entry.html === null ? {} : { content: { encoded: entry.html } }),
    // An enclosure requires the number of bytes, which is unknown.
    ...(entry.coverImage === null ? {} : { media: { contents: [{ url: entry.coverImage, medium: 'image' }] } }),
  };
}
