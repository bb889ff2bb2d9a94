/** Atom 1.0 (RFC 4287). */
import { generateAtomFeed } from 'feedsmith';
import { buildEntryId, type Feed, type FeedEntry, listCategories } from './feed.ts';
import { makeReadable } from './readable.ts';

export function formatAtom(feed: Feed): string {
  const { id, title, description, pageUrl, url, updatedAt, entries } = makeReadable(feed);
  return generateAtomFeed({
    id,
    title: { value: title },
    subtitle: { value: description },
    updated: updatedAt,
    generator: { text: 'Courant' },
    links: [
      { href: url, rel: 'self', type: 'application/atom+xml' },
      { href: pageUrl, rel: 'alternate', type: 'text/html' },
    ],
    entries: entries.map(buildEntry),
  });
}

function buildEntry(entry: FeedEntry) {
  return {
    id: buildEntryId(entry),
    title: { value: entry.title },
    links: [
      { href: entry.url, rel: 'alternate', type: 'text/html' },
      ...(entry.canonicalUrl === entry.url ? [] : [{ href: entry.canonicalUrl, rel: 'canonical' }]),
    ],
    authors: [{ name: entry.author.name, uri: entry.author.url }],
    published: entry.publishedAt,
    updated: entry.updatedAt,
    categories: listCategories(entry).map((term) => ({ term })),
    summary: { value: entry.excerpt },
    ...(entry.contentSignal === null ? {} : { rights: { value: `Content-Signal: ${entry.contentSignal}` } }),
    ...(entry.html === null ? {} : { content: { type: 'html', value: entry.html } }),
    ...(entry.language === null ? {} : { xml: { lang: entry.language } }),
    ...(entry.coverImage === null ? {} : { media: { contents: [{ url: entry.coverImage, medium: 'image' }] } }),
  };
}
