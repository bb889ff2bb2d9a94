/** The feed formats (RSS 2.0, Atom 1.0, JSON Feed 1.1), with the name of each file. */
import { generateAtomFeed, generateJsonFeed, generateRssFeed } from 'feedsmith';
import { buildEntryId, type Feed, type FeedEntry, listCategories } from './feed.ts';
import { makeReadable } from './readable.ts';

export interface FeedFormat {
  name: string;
  file: 'feed.xml' | 'atom.xml' | 'feed.json';
  type: string;
  format: (feed: Feed) => string;
}

export const FEED_FORMATS: readonly FeedFormat[] = [
  { name: 'RSS', file: 'feed.xml', type: 'application/rss+xml', format: formatRss },
  { name: 'Atom', file: 'atom.xml', type: 'application/atom+xml', format: formatAtom },
  { name: 'JSON Feed', file: 'feed.json', type: 'application/feed+json', format: formatJsonFeed },
];

/** The feed of the list at this page address; the root is the page of the site. */
export function buildFeedUrl(pageUrl: string, { file }: Pick<FeedFormat, 'file'>): string {
  return `${pageUrl.replace(/\/$/, '')}/${file}`;
}

export function formatRss(feed: Feed): string {
  const { title, description, pageUrl, url, updatedAt, entries } = makeReadable(feed);
  return generateRssFeed({
    title,
    description,
    link: pageUrl,
    generator: 'Courant',
    lastBuildDate: updatedAt,
    atom: { links: [{ href: url, rel: 'self', type: 'application/rss+xml' }] },
    items: entries.map((entry) => ({
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
      atom: { updated: entry.updatedAt, links: linkCanonical(entry) },
      ...(entry.html === null ? {} : { content: { encoded: entry.html } }),
      // An enclosure requires the number of bytes, which is unknown.
      ...showCover(entry),
    })),
  });
}

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
    entries: entries.map((entry) => ({
      id: buildEntryId(entry),
      title: { value: entry.title },
      links: [{ href: entry.url, rel: 'alternate', type: 'text/html' }, ...linkCanonical(entry)],
      authors: [{ name: entry.author.name, uri: entry.author.url }],
      published: entry.publishedAt,
      updated: entry.updatedAt,
      categories: listCategories(entry).map((term) => ({ term })),
      summary: { value: entry.excerpt },
      ...(entry.contentSignal === null ? {} : { rights: { value: `Content-Signal: ${entry.contentSignal}` } }),
      ...(entry.html === null ? {} : { content: { type: 'html', value: entry.html } }),
      ...(entry.language === null ? {} : { xml: { lang: entry.language } }),
      ...showCover(entry),
    })),
  });
}

function linkCanonical({ url, canonicalUrl }: FeedEntry): { href: string; rel: string }[] {
  return canonicalUrl === url ? [] : [{ href: canonicalUrl, rel: 'canonical' }];
}

function showCover({ coverImage }: FeedEntry) {
  return coverImage === null ? {} : { media: { contents: [{ url: coverImage, medium: 'image' as const }] } };
}

export function formatJsonFeed(feed: Feed): string {
  const { title, description, pageUrl, url, entries } = makeReadable(feed);
  const items = entries.map((entry) => ({
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
  }));
  const filled = { title, description, home_page_url: pageUrl, feed_url: url, items };
  // The generator leaves out empty fields, but a feed requires `items`.
  return JSON.stringify({ items: [], ...(generateJsonFeed(filled) as object) });
}
