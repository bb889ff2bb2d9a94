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
  const { title, excerpt, html, url, canonicalUrl, language, coverImage, author, publishedAt, updatedAt } = entry;
  return {
    title,
    link: url,
    guid: { value: buildEntryId(entry), isPermaLink: false },
    description: excerpt,
    pubDate: publishedAt,
    categories: listCategories(entry).map((name) => ({ name })),
    // An `author` of RSS is an e-mail address.
    dc: { creators: [author.name], ...(language === null ? {} : { languages: [language] }) },
    atom: {
      updated: updatedAt,
      ...(canonicalUrl === url ? {} : { links: [{ href: canonicalUrl, rel: 'canonical' }] }),
    },
    ...(html === null ? {} : { content: { encoded: html } }),
    // An enclosure would have to say how many bytes it has.
    ...(coverImage === null ? {} : { media: { contents: [{ url: coverImage, medium: 'image' }] } }),
  };
}
