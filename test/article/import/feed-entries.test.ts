/** Tests which elements of each feed format give the parts of a post, and which take precedence. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawFeedEntry } from '../../../article/import/feed/entry.ts';
import { listAtomEntries, listJsonEntries, listRssEntries } from '../../../article/import/feed/formats.ts';

type Parts = Record<string, unknown>;
interface Source {
  item?: Parts;
  feed?: Parts;
  value: unknown;
}

/** With the sources from each position on, an entry has the value of the first of them. */
function checkPrecedence(
  list: (feed: never) => { entries: RawFeedEntry[] },
  name: 'items' | 'entries',
  sources: Partial<Record<keyof RawFeedEntry, Source[]>>,
): void {
  for (const [field, found] of Object.entries(sources)) {
    for (let from = 0; from <= found.length; from++) {
      const used = found.slice(from);
      const item = merge(used.map((source) => source.item ?? {}));
      const feed = merge(used.map((source) => source.feed ?? {}));
      const [entry] = list({ ...feed, [name]: [item] } as never).entries;
      const none = field === 'tags' ? [] : null;
      const [first] = used;
      assert.deepEqual(entry?.[field as keyof RawFeedEntry], first ? first.value : none, `${field} ${from}`);
    }
  }
}

/** Merges objects one level deep. Earlier properties take precedence. */
function merge(all: readonly Parts[]): Parts {
  const merged: Parts = {};
  for (const [key, value] of all.flatMap((one) => Object.entries(one))) {
    const known = merged[key];
    merged[key] = known === undefined ? value : isObject(known) && isObject(value) ? { ...value, ...known } : known;
  }
  return merged;
}

const isObject = (value: unknown): value is Parts =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

test('an entry of RSS or RDF takes each part from the most specific element', () => {
  checkPrecedence(listRssEntries, 'items', {
    id: [
      { item: { guid: { value: 'g' } }, value: 'g' },
      { item: { atom: { id: 'a' } }, value: 'a' },
      { item: { rdf: { about: 'r' } }, value: 'r' },
    ],
    url: [
      { item: { link: '/l' }, value: '/l' },
      { item: { atom: { links: [{ href: '/c', rel: 'canonical' }, { href: '/a' }] } }, value: '/a' },
      { item: { guid: { value: 'HTTPS://g.example/' } }, value: 'HTTPS://g.example/' },
    ],
    canonical: [{ item: { atom: { links: [{ href: '/a' }, { href: '/c', rel: 'canonical' }] } }, value: '/c' }],
    title: [
      { item: { title: 'T' }, value: { text: 'T', isHtml: false } },
      { item: { dc: { titles: ['D'] } }, value: { text: 'D', isHtml: false } },
    ],
    content: [
      { item: { content: { encoded: 'e' } }, value: 'e' },
      { item: { atom: { content: { value: 'a' } } }, value: 'a' },
    ],
    summary: [
      { item: { description: 'd' }, value: 'd' },
      { item: { atom: { summary: { value: 's' } } }, value: 's' },
      { item: { dc: { descriptions: ['dc'] } }, value: 'dc' },
    ],
    base: [
      { item: { xml: { base: '/i' } }, value: '/i' },
      { feed: { xml: { base: '/f' } }, value: '/f' },
    ],
    tags: [{ item: { categories: [{ name: 'c' }, {}], dc: { subjects: ['s'] } }, value: ['c', 's'] }],
    image: [
      {
        item: {
          media: {
            contents: [
              { url: 'v', medium: 'video' },
              { url: 'm', medium: 'image' },
            ],
          },
        },
        value: 'm',
      },
      { item: { media: { thumbnails: [{ url: 't' }] } }, value: 't' },
      {
        item: {
          enclosures: [
            { url: 'a', type: 'audio/x' },
            { url: 'p', type: 'image/png' },
          ],
        },
        value: 'p',
      },
    ],
    language: [
      { item: { xml: { lang: 'a' } }, value: 'a' },
      { item: { dc: { languages: ['b'] } }, value: 'b' },
      { feed: { xml: { lang: 'c' } }, value: 'c' },
      { feed: { language: 'd' }, value: 'd' },
      { feed: { dc: { languages: ['e'] } }, value: 'e' },
    ],
    publishedAt: [
      { item: { pubDate: '1' }, value: '1' },
      { item: { dc: { dates: ['2'] } }, value: '2' },
      { item: { atom: { published: '3' } }, value: '3' },
    ],
    updatedAt: [
      { item: { atom: { updated: '1' } }, value: '1' },
      { item: { dcterms: { modified: ['2'] } }, value: '2' },
    ],
  });
  const readUrl = (guid: object) => listRssEntries({ items: [{ guid }] } as never).entries[0]?.url;
  assert.equal(readUrl({ value: 'https://g.example/', isPermaLink: false }), null);
  assert.equal(readUrl({ value: 'urn:https://g.example/' }), null);
  assert.deepEqual(listRssEntries({} as never), { entries: [], earlier: null });
});

test('a title of RSS is markup if it has a tag or an entity', () => {
  const isHtml = (title: string) => listRssEntries({ items: [{ title }] } as never).entries[0]?.title?.isHtml;
  for (const title of ['a <b>c</b>', '</p>', '<br/>', 'A &amp; B', '&#38;', '&#x26;', '&#X26;'])
    assert.equal(isHtml(title), true, title);
  for (const title of ['a < b', '1 <2>', 'R&D', 'A & B;', '&#;', '<', 'a<b']) assert.equal(isHtml(title), false, title);
});

test('an entry of Atom takes each part from the most specific element', () => {
  checkPrecedence(listAtomEntries, 'entries', {
    id: [{ item: { id: 'i' }, value: 'i' }],
    url: [
      {
        item: {
          links: [
            { href: '/s', rel: 'self' },
            { href: '/a', rel: 'alternate' },
          ],
        },
        value: '/a',
      },
    ],
    canonical: [{ item: { links: [{ href: '/a' }, { href: '/c', rel: 'canonical' }] }, value: '/c' }],
    title: [{ item: { title: { value: 'T' } }, value: { text: 'T', isHtml: false } }],
    base: [
      { item: { content: { xml: { base: 'c' } } }, value: 'c' },
      { item: { summary: { xml: { base: 's' } } }, value: 's' },
      { item: { xml: { base: 'e' } }, value: 'e' },
      { feed: { xml: { base: 'f' } }, value: 'f' },
    ],
    tags: [{ item: { categories: [{ label: 'L', term: 'l' }, { term: 't' }, {}] }, value: ['L', 't'] }],
    image: [{ item: { media: { contents: [{ url: 'm', type: 'image/png' }] } }, value: 'm' }],
    language: [
      { item: { content: { xml: { lang: 'a' } } }, value: 'a' },
      { item: { xml: { lang: 'b' } }, value: 'b' },
      { feed: { xml: { lang: 'c' } }, value: 'c' },
    ],
    publishedAt: [
      { item: { published: '1' }, value: '1' },
      { item: { dc: { dates: ['2'] } }, value: '2' },
    ],
    updatedAt: [{ item: { updated: '1' }, value: '1' }],
  });
  const readTexts = (type?: string) => {
    const text = { value: 'a < b & c', ...(type && { type }) };
    const [entry] = listAtomEntries({ entries: [{ title: text, content: text, summary: text }] } as never).entries;
    return [entry?.title?.isHtml, entry?.content, entry?.summary];
  };
  const escaped = 'a &lt; b &amp; c';
  for (const type of [undefined, 'text', 'TEXT']) assert.deepEqual(readTexts(type), [false, escaped, escaped], type);
  for (const type of ['html', 'xhtml', 'application/XML'])
    assert.deepEqual(readTexts(type), [true, 'a < b & c', 'a < b & c'], type);
  const old = listAtomEntries({ entries: [{ content: { value: '<P>a & b' } }] } as never).entries[0];
  assert.deepEqual([old?.content, old?.title], ['<P>a & b', null]);
  assert.deepEqual(listAtomEntries({} as never), { entries: [], earlier: null });
});

test('an entry of JSON Feed takes each part from the most specific field', () => {
  checkPrecedence(listJsonEntries, 'items', {
    id: [{ item: { id: 7 }, value: '7' }],
    url: [
      { item: { url: '/u' }, value: '/u' },
      { item: { external_url: '/e' }, value: '/e' },
    ],
    canonical: [],
    title: [{ item: { title: 'a &amp; b' }, value: { text: 'a &amp; b', isHtml: false } }],
    content: [{ item: { content_html: 'h' }, value: 'h' }],
    plain: [{ item: { content_text: 't' }, value: 't' }],
    summary: [{ item: { summary: 'a < b & c' }, value: 'a &lt; b &amp; c' }],
    tags: [{ item: { tags: ['a'] }, value: ['a'] }],
    image: [
      { item: { banner_image: 'b' }, value: 'b' },
      { item: { image: 'i' }, value: 'i' },
    ],
    language: [
      { item: { language: 'a' }, value: 'a' },
      { feed: { language: 'b' }, value: 'b' },
    ],
    publishedAt: [{ item: { date_published: '1' }, value: '1' }],
    updatedAt: [{ item: { date_modified: '1' }, value: '1' }],
  });
  assert.deepEqual(listJsonEntries({} as never), { entries: [], earlier: null });
});

test('archives take precedence over pages as the address of earlier entries', () => {
  const links = [
    { href: '/next', rel: 'next' },
    { href: '/archive', rel: 'prev-archive' },
  ];
  assert.equal(listRssEntries({ atom: { links } } as never).earlier, '/archive');
  assert.equal(listAtomEntries({ links: links.slice(0, 1) } as never).earlier, '/next');
  assert.equal(listJsonEntries({ next_url: '/n' } as never).earlier, '/n');
});
