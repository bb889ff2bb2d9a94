/** Converts the entries of each feed format to one shape. */
import type { AtomFeed, JsonFeed, MediaNs, RdfFeed, RssFeed } from 'feedsmith';
import type { RawFeedEntry } from './entry.ts';

export interface ListedEntries {
  entries: RawFeedEntry[];
  /** The address of earlier entries; null if the feed names none. */
  earlier: string | null;
}

const NOTHING = {
  canonical: null,
  content: null,
  summary: null,
  plain: null,
  base: null,
  image: null,
  language: null,
} as const;

/** RSS and RDF have the same elements, except that an item of RDF is named by `rdf:about`. */
type RssItem = RssFeed.Item<string> & Pick<RdfFeed.Item<string>, 'rdf'>;

export function listRssEntries(feed: RssFeed.Feed<string> | RdfFeed.Feed<string>): ListedEntries {
  const feedLanguage = feed.xml?.lang ?? ('language' in feed ? feed.language : undefined) ?? feed.dc?.languages?.[0];
  const entries = ((feed.items ?? []) as RssItem[]).map((item): RawFeedEntry => {
    const { guid, link, atom, dc, content } = item;
    const isLink = guid !== undefined && guid.isPermaLink !== false && /^https?:\/\//i.test(guid.value ?? '');
    return {
      ...NOTHING,
      id: guid?.value ?? atom?.id ?? item.rdf?.about ?? null,
      url: link ?? findLink(atom?.links, 'alternate') ?? (isLink ? (guid.value ?? null) : null),
      canonical: findLink(atom?.links, 'canonical') ?? null,
      title: readTitle(item.title ?? dc?.titles?.[0]),
      content: content?.encoded ?? atom?.content?.value ?? null,
      summary: item.description ?? atom?.summary?.value ?? dc?.descriptions?.[0] ?? null,
      base: item.xml?.base ?? feed.xml?.base ?? null,
      tags: [...(item.categories ?? []).map(({ name }) => name), ...(dc?.subjects ?? [])].filter(isText),
      image: findImage(item.media) ?? item.enclosures?.find(({ type }) => type?.startsWith('image/'))?.url ?? null,
      language: item.xml?.lang ?? dc?.languages?.[0] ?? feedLanguage ?? null,
      publishedAt: item.pubDate ?? dc?.dates?.[0] ?? atom?.published ?? null,
      updatedAt: atom?.updated ?? item.dcterms?.modified?.[0] ?? null,
    };
  });
  return { entries, earlier: findEarlier(feed.atom?.links) };
}

export function listAtomEntries(feed: AtomFeed.Feed<string>): ListedEntries {
  const entries = (feed.entries ?? []).map((entry): RawFeedEntry => {
    const { title, content, summary } = entry;
    return {
      ...NOTHING,
      id: entry.id ?? null,
      url: findLink(entry.links, 'alternate') ?? null,
      canonical: findLink(entry.links, 'canonical') ?? null,
      title: title?.value === undefined ? null : { text: title.value, isHtml: isMarkedUp(title.type) },
      content: content?.value === undefined ? null : readText(content.value, content.type),
      summary: summary?.value === undefined ? null : readText(summary.value, summary.type),
      base: content?.xml?.base ?? summary?.xml?.base ?? entry.xml?.base ?? feed.xml?.base ?? null,
      tags: (entry.categories ?? []).map(({ label, term }) => label ?? term).filter(isText),
      image: findImage(entry.media),
      language: content?.xml?.lang ?? entry.xml?.lang ?? feed.xml?.lang ?? null,
      publishedAt: entry.published ?? entry.dc?.dates?.[0] ?? null,
      updatedAt: entry.updated ?? null,
    };
  });
  return { entries, earlier: findEarlier(feed.links) };
}

export function listJsonEntries(feed: JsonFeed.Feed<string>): ListedEntries {
  const entries = (feed.items ?? []).map(
    (item): RawFeedEntry => ({
      ...NOTHING,
      id: item.id === undefined ? null : String(item.id),
      url: item.url ?? item.external_url ?? null,
      title: item.title === undefined ? null : { text: item.title, isHtml: false },
      content: item.content_html ?? null,
      plain: item.content_text ?? null,
      summary: item.summary === undefined ? null : escapeHtml(item.summary),
      tags: item.tags ?? [],
      image: item.banner_image ?? item.image ?? null,
      language: item.language ?? feed.language ?? null,
      publishedAt: item.date_published ?? null,
      updatedAt: item.date_modified ?? null,
    }),
  );
  return { entries, earlier: feed.next_url ?? null };
}

/** RSS does not declare whether a title has markup. A tag or an entity in it means yes. */
function readTitle(text: string | undefined): RawFeedEntry['title'] {
  return text === undefined ? null : { text, isHtml: /<\/?[a-z][^<>]*>|&(?:#\d+|#x[\da-f]+|\w+);/i.test(text) };
}

/** Atom's text is plain by default, but older feeds put markup there. */
function readText(value: string, type: string | undefined): string {
  return isMarkedUp(type) || /<\/?[a-z][^<>]*>/i.test(value) ? value : escapeHtml(value);
}

function isMarkedUp(type: string | undefined): boolean {
  return type !== undefined && /html|xml/i.test(type);
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

interface Link {
  href?: string | undefined;
  rel?: string | undefined;
}

/** A link without a relation leads to the entry. */
function findLink(links: readonly Link[] | undefined, relation: string): string | undefined {
  return links?.find(({ rel = 'alternate' }) => rel === relation)?.href;
}

/** RFC 5005: archives (section 4) take precedence over pages (section 3). */
function findEarlier(links: readonly Link[] | undefined): string | null {
  return findLink(links, 'prev-archive') ?? findLink(links, 'next') ?? null;
}

function findImage(media: MediaNs.ItemOrFeed<false> | undefined): string | null {
  const [thumbnail] = media?.thumbnails ?? [];
  const picture = media?.contents?.find(({ medium, type }) => medium === 'image' || type?.startsWith('image/'));
  return picture?.url ?? thumbnail?.url ?? null;
}

function isText(value: string | undefined): value is string {
  return value !== undefined;
}
