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
  const { title, excerpt, html, url, canonicalUrl, language, coverImage, author, publishedAt, updatedAt } = entry;
  return {
    id: buildEntryId(entry),
    title: { value: title },
    links: [
      { href: url, rel: 'alternate', type: 'text/html' },
      ...(canonicalUrl === url ? [] : [{ href: canonicalUrl, rel: 'canonical' }]),
    ],
    authors: [{ name: author.name, uri: author.url }],
    published: publishedAt,
    updated: updatedAt,
    categories: listCategories(entry).map((term) => ({ term })),
    summary: { value: excerpt },
    ...(html === null ? {} : { content: { type: 'html', value: html } }),
    ...(language === null ? {} : { xml: { lang: language } }),
    ...(coverImage === null ? {} : { media: { contents: [{ url: coverImage, medium: 'image' }] } }),
  };
}
