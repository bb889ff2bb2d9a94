/** The contents of the lists that readers and programs get: cards, feeds, catalogue, sitemap. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findBusyLists } from '../../../store/lists/busy-lists.ts';
import { findListedAuthor, findListedSeries } from '../../../store/lists/find-list.ts';
import { findCard, listArticles, listCards, listParts } from '../../../store/lists/list-articles.ts';
import { listForCatalogue } from '../../../store/lists/list-for-catalogue.ts';
import { listForFeed } from '../../../store/lists/list-for-feed.ts';
import { findArticleSeries, listPublicCopies, listRelated } from '../../../store/lists/related-content.ts';
import { createSeries } from '../../../store/series/series.ts';
import * as sitemap from '../../../store/sitemap/pages.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';

const at = (minutes: number) => new Date(Date.parse('2026-11-01T09:00:00Z') + minutes * 60_000);

let ledger: TestLedger;
let ada: string;
let bob: string;
let seriesId: string;
const ids: Record<string, string> = {};
const names: Record<string, string> = {};

/** Articles by Ada and Bob, oldest first. Bob does not allow search by programs for one of them. */
before(async () => {
  ledger = await openTestLedger();
  [ada, bob] = [await ledger.addAuthor(), await ledger.addAuthor()];
  for (const userId of [ada, bob]) {
    const user = ledger.db.selectFrom('users').select('username').where('id', '=', userId);
    names[userId] = (await user.executeTakeFirstOrThrow()).username;
  }
  seriesId = (await createSeries(ledger.db, { authorId: ada, title: 'The series', now: at(0) })).id;
  await add('old', ada, 0, { tags: ['a', 'b'], partOf: seriesId, partPosition: 2 });
  await add('quiet', bob, 1, { tags: ['a'], contentSignal: 'search=no' });
  await add('new', ada, 2, { tags: ['b', 'c'], partOf: seriesId, partPosition: 1, coverImage: '/images/c.png' });
  await add('other', bob, 3, { tags: ['a', 'b'], givenCanonicalUrl: null, language: 'de', category: 'notes' });
  await add('draft', bob, 4, { status: 'DRAFT', tags: ['a', 'b'] });
  const suspended = await ledger.addAuthor();
  await add('suspended', suspended, 5, { tags: ['a', 'b'] });
  await ledger.db
    .updateTable('users')
    .set({ suspendedAt: at(5) })
    .where('id', '=', suspended)
    .execute();
});
after(() => ledger.close());

async function add(slug: string, authorId: string, minutes: number, more: Parameters<TestLedger['addArticle']>[1]) {
  const derived = { excerpt: `About ${slug}.`, html: `<p>${slug}</p>`, language: 'en', readingTimeMinutes: 4 };
  ids[slug] = await ledger.addArticle(authorId, {
    ...{ slug, title: `The ${slug}`, titleKey: slug, canonicalKey: `self:${slug}`, subtitle: `Of ${slug}` },
    ...{ publishedAt: at(minutes), createdAt: at(minutes), updatedAt: at(minutes), derivedAt: at(10) },
    ...{ derived: JSON.stringify({ ...derived, topicSignals: ['topic'] }), ...more },
  });
}

const slugs = (rows: readonly { slug: string }[]) => rows.map(({ slug }) => slug);

test('a card has the fields of its article, author and series', async () => {
  assert.deepEqual(await findCard(ledger.db, 'new'), {
    ...{ id: ids.new, slug: 'new', title: 'The new', subtitle: 'Of new', excerpt: 'About new.' },
    ...{ givenCanonicalUrl: null, tags: ['b', 'c'], language: 'en', readingTimeMinutes: 4 },
    ...{ coverImage: '/images/c.png', seriesId, seriesTitle: 'The series', seriesPart: 1 },
    ...{ authorId: ada, authorName: names[ada], authorUsername: names[ada] },
    ...{ publishedAt: at(2), publishedMicros: at(2).getTime() * 1_000, updatedAt: at(2) },
  });
  assert.equal((await findCard(ledger.db, 'other'))?.language, 'de');
  for (const slug of ['draft', 'suspended', 'unknown', 'a\0']) assert.equal(await findCard(ledger.db, slug), undefined);
});

test('each kind of list has its articles, newest first', async () => {
  const list = async (of: Parameters<typeof listArticles>[1], limit = 10) =>
    slugs(await listArticles(ledger.db, of, limit));
  assert.deepEqual(await list({ kind: 'site' }), ['other', 'new', 'quiet', 'old']);
  assert.deepEqual(await list({ kind: 'site' }, 2), ['other', 'new']);
  assert.deepEqual(await list({ kind: 'author', authorId: ada }), ['new', 'old']);
  assert.deepEqual(await list({ kind: 'tag', tag: 'a' }), ['other', 'quiet', 'old']);
  assert.deepEqual(await list({ kind: 'author-tag', authorId: bob, tag: 'a' }), ['other', 'quiet']);
  assert.deepEqual(await list({ kind: 'series', seriesId }), ['new', 'old']);
  assert.deepEqual(slugs(await listParts(ledger.db, { kind: 'series', seriesId }, 10)), ['new', 'old']);
  await ledger.db.updateTable('articles').set({ partPosition: 3 }).where('slug', '=', 'new').execute();
  assert.deepEqual(slugs(await listParts(ledger.db, { kind: 'series', seriesId }, 10)), ['old', 'new']);
  assert.deepEqual(slugs(await listParts(ledger.db, { kind: 'series', seriesId }, 1)), ['old']);
});

test('cards are listed page by page, and programs do not get what opts out of search', async () => {
  type Filter = Parameters<typeof listCards>[1];
  const list = async (filter: Partial<Filter>, options: Partial<Parameters<typeof listCards>[2]> = {}) => {
    const page = { after: null, limit: 10, reader: 'person', ...options } as const;
    return listCards(ledger.db, { authorId: null, tag: null, ...filter }, page);
  };
  assert.deepEqual(slugs(await list({})), ['other', 'new', 'quiet', 'old']);
  assert.deepEqual(slugs(await list({}, { reader: 'program' })), ['other', 'new', 'old']);
  assert.deepEqual(slugs(await list({ authorId: bob })), ['other', 'quiet']);
  assert.deepEqual(slugs(await list({ tag: 'b' })), ['other', 'new', 'old']);
  assert.deepEqual(slugs(await list({ tag: 'b', authorId: ada })), ['new', 'old']);
  for (const filter of [{}, { tag: 'a' }, { authorId: bob }]) {
    const [first] = await list(filter, { limit: 1 });
    const after = first && { publishedAt: first.publishedMicros, id: first.id };
    assert.deepEqual(slugs(await list(filter, { after: after ?? null })), slugs(await list(filter)).slice(1));
  }
});

test('a feed has the newest texts within its bytes', async () => {
  const [first, second, ...more] = await listForFeed(ledger.db, { kind: 'site' }, { limit: 3, maxHtmlBytes: 22 });
  assert.deepEqual(first, {
    ...{ id: ids.other, slug: 'other', title: 'The other', subtitle: 'Of other', excerpt: 'About other.' },
    ...{ html: '<p>other</p>', language: 'de', tags: ['a', 'b'], category: 'notes', coverImage: null },
    ...{ givenCanonicalUrl: null, authorName: names[bob], authorUsername: names[bob] },
    ...{ contentSignal: null, authorSignal: null, publishedAt: at(3), updatedAt: at(3), renderedAt: at(10) },
  });
  assert.deepEqual([second?.html, more.map(({ slug, html }) => [slug, html])], ['<p>new</p>', [['quiet', null]]]);
  const [short] = await listForFeed(ledger.db, { kind: 'author', authorId: ada }, { limit: 1, maxHtmlBytes: 9 });
  assert.deepEqual([short?.slug, short?.html], ['new', null]);
});

test('a catalogue has the newest articles that allow search, with their topics', async () => {
  const [first, ...more] = await listForCatalogue(ledger.db, 2);
  assert.deepEqual(first, {
    ...{ slug: 'other', title: 'The other', givenCanonicalUrl: null, publishedAt: at(3), updatedAt: at(3) },
    ...{ abstract: 'About other.', topicSignals: ['topic'], tags: ['a', 'b'], contentSignal: null },
    ...{ authorName: names[bob], authorUsername: names[bob], authorSignal: null },
  });
  assert.deepEqual(slugs(more), ['new']);
  assert.deepEqual(slugs(await listForCatalogue(ledger.db, 9)), ['other', 'new', 'old']);
});

test('the busiest tags and authors come first, in the order of their names if they are equal', async () => {
  const author = (id: string) => ({ username: names[id], name: names[id], pictureUrl: null, articles: 2 });
  const all = await findBusyLists(ledger.db, { tags: 9, authors: 9 });
  assert.deepEqual(all, { tags: ['a', 'b', 'c'], authors: [author(ada), author(bob)] });
  const few = await findBusyLists(ledger.db, { tags: 1, authors: 1 });
  assert.deepEqual([few.tags, few.authors.length], [['a'], 1]);
});

test('the lists of an author or a series are found while readers may see them', async () => {
  const author = await findListedAuthor(ledger.db, (names[ada] ?? '').toUpperCase());
  assert.deepEqual(author, { id: ada, username: names[ada], name: names[ada], createdAt: author?.createdAt });
  for (const name of ['unknown', 'a\0']) assert.equal(await findListedAuthor(ledger.db, name), undefined);
  assert.deepEqual(await findListedSeries(ledger.db, seriesId), {
    ...{ id: seriesId, title: 'The series', authorId: ada, authorName: names[ada], authorUsername: names[ada] },
  });
  const { id: empty } = await createSeries(ledger.db, { authorId: ada, title: 'Empty', now: at(0) });
  for (const id of [empty, crypto.randomUUID(), 'no-id'])
    assert.equal(await findListedSeries(ledger.db, id), undefined);
});

test('an article is shown with its series and with the articles that share the most tags', async () => {
  await ledger.db.updateTable('articles').set({ partPosition: 1 }).where('slug', '=', 'new').execute();
  const parts = [
    { slug: 'new', title: 'The new' },
    { slug: 'old', title: 'The old' },
  ];
  assert.deepEqual(await findArticleSeries(ledger.db, ids.old ?? ''), { id: seriesId, title: 'The series', parts });
  assert.equal(await findArticleSeries(ledger.db, ids.other ?? ''), null);
  const related = async (slug: string, tags: string[], limit = 9) =>
    slugs(await listRelated(ledger.db, { articleId: ids[slug] ?? '', tags, limit }));
  assert.deepEqual(await related('old', ['a', 'b']), ['other', 'new', 'quiet']);
  assert.deepEqual(await related('old', ['a', 'b'], 1), ['other']);
  assert.deepEqual(await related('old', []), []);
});

test('the live copies of an article are listed by destination', async () => {
  const userId = await ledger.addAuthor();
  const articleId = await ledger.addArticle(userId);
  for (const destination of ['blogsite_b', 'blogsite_a'] as const) {
    const accountId = await ledger.addConnection(userId, destination).then(async (id) => {
      const row = ledger.db.selectFrom('connections').select('accountId').where('id', '=', id);
      return (await row.executeTakeFirstOrThrow()).accountId;
    });
    const remoteUrl = `https://there.example/${destination}`;
    await ledger.db
      .insertInto('copies')
      .values({ articleId, accountId, presence: 'live', remoteId: destination, remoteUrl })
      .execute();
  }
  const copies = (['blogsite_a', 'blogsite_b'] as const).map((destination) => ({
    ...{ destination, platform: 'forem', url: `https://there.example/${destination}` },
  }));
  assert.deepEqual(await listPublicCopies(ledger.db, articleId), copies);
  await ledger.db.updateTable('copies').set({ presence: 'hidden' }).where('remoteId', '=', 'blogsite_a').execute();
  assert.deepEqual(await listPublicCopies(ledger.db, articleId), copies.slice(1));
});

test('the sitemap has the public articles and lists in parts', async () => {
  await ledger.db.deleteFrom('articles').where('slug', 'like', 'article-%').execute();
  const articles = await sitemap.listSitemapArticles(ledger.db, 0);
  assert.deepEqual(articles, [
    { name: 'old', changedAt: at(0) },
    { name: 'quiet', changedAt: at(1) },
    { name: 'new', changedAt: at(2) },
    { name: 'other', changedAt: at(3) },
  ]);
  assert.deepEqual(await sitemap.listSitemapArticles(ledger.db, 1), []);
  const lists = async (kind: sitemap.ListKind) =>
    (await sitemap.listSitemapLists(ledger.db, kind, 0)).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  assert.deepEqual(await lists('tag'), [
    { name: 'a', changedAt: at(3) },
    { name: 'b', changedAt: at(3) },
    { name: 'c', changedAt: at(2) },
  ]);
  assert.deepEqual(await lists('author'), [
    { name: names[ada], changedAt: at(2) },
    { name: names[bob], changedAt: at(3) },
  ]);
  assert.deepEqual(await lists('series'), [{ name: seriesId, changedAt: at(2) }]);
  assert.deepEqual(await sitemap.listArticleParts(ledger.db), [{ part: 0, changedAt: at(5) }]);
  for (const kind of ['author', 'tag', 'series'] as const) {
    assert.deepEqual(await sitemap.listPartsOfLists(ledger.db, kind), [0]);
  }
  await ledger.db.updateTable('articles').set({ sitemapPlace: 20_000 }).where('slug', '=', 'new').execute();
  assert.deepEqual(await sitemap.listSitemapArticles(ledger.db, 2), [{ name: 'new', changedAt: at(2) }]);
  assert.deepEqual(
    (await sitemap.listArticleParts(ledger.db)).map(({ part }) => part),
    [0, 2],
  );
});
