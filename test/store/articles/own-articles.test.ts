/** The lists of an author's own articles: filters, order, pages and counts. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addArticleNotice, listArticleNotices } from '../../../store/articles/article-notices.ts';
import { listCalendar } from '../../../store/articles/calendar.ts';
import { findAddress, findArticleBySlug, findPublicBody } from '../../../store/articles/find-for-readers.ts';
import { requirePublicArticle, seekPublicArticle } from '../../../store/articles/find-public.ts';
import * as own from '../../../store/articles/own-articles.ts';
import { createSeries } from '../../../store/series/series.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';

const at = (minutes: number) => new Date(Date.parse('2026-11-01T09:00:00Z') + minutes * 60_000);

let ledger: TestLedger;
let authorId: string;
let other: string;
let seriesId: string;
const ids: Record<string, string> = {};

before(async () => {
  ledger = await openTestLedger();
  [authorId, other] = [await ledger.addAuthor(), await ledger.addAuthor()];
  seriesId = (await createSeries(ledger.db, { authorId, title: 'The series', now: at(0) })).id;
  const add = async (slug: string, minutes: number, more: Parameters<TestLedger['addArticle']>[1] = {}) => {
    const times = { createdAt: at(minutes), updatedAt: at(minutes), publishedAt: at(minutes) };
    ids[slug] = await ledger.addArticle(authorId, { slug, title: slug, titleKey: slug, ...times, ...more });
  };
  await add('first', 0, { tags: ['a', 'b'], partOf: seriesId, partPosition: 2 });
  await add('second', 1, { tags: ['b'], partOf: seriesId, partPosition: 1, status: 'DRAFT', publishedAt: null });
  await add('third', 2, {
    status: 'SCHEDULED',
    publishedAt: null,
    scheduledAt: at(60),
    scheduledZone: 'Europe/Berlin',
  });
  await add('fourth', 3, { tags: ['b', 'c'], scheduledZone: 'Europe/Berlin', contentSignal: 'ai-train=no' });
  await add('deleted', 4, { tags: ['b'], status: 'DRAFT', deletedAt: at(5) });
  await ledger.addArticle(other, { slug: 'foreign', createdAt: at(9), tags: ['b'] });
});
after(() => ledger.close());

const titles = (articles: readonly { title: string }[]) => articles.map(({ title }) => title);
const list = (filter: own.OwnArticlesFilter, page: Partial<Parameters<typeof own.listOwnArticles>[2]> = {}) =>
  own.listOwnArticles(ledger.db, authorId, { filter, limit: 10, after: null, ...page });

test('an own article has its state, and the zone of its schedule only while it is scheduled', async () => {
  const { selected, createdMicros, ...third } =
    (await own.findOwnArticle(ledger.db, { authorId, articleId: ids.third ?? '' })) ?? assert.fail();
  assert.deepEqual(third, {
    ...{ id: ids.third, slug: 'third', title: 'third', status: 'SCHEDULED', revision: 1, tags: [] },
    ...{ seriesId: null, partPosition: null, scheduledAt: at(60), publishedAt: null, createdAt: at(2) },
    ...{ updatedAt: at(2), deletedAt: null, dispatch: third.dispatch, dispatchedAt: third.dispatchedAt },
    ...{ imported: false, scheduledZone: 'Europe/Berlin' },
  });
  assert.deepEqual([selected, createdMicros], [selected.toSorted(), at(2).getTime() * 1_000]);
  assert.ok(selected.includes('blogsite_a'));
  const fourth = await own.findOwnArticle(ledger.db, { authorId, articleId: ids.fourth ?? '' });
  assert.equal(fourth?.scheduledZone, null);
  assert.equal(await own.findOwnArticle(ledger.db, { authorId: other, articleId: ids.third ?? '' }), undefined);
  const deleted = await own.findOwnArticle(ledger.db, { authorId, articleId: ids.deleted ?? '' });
  assert.deepEqual(deleted?.deletedAt, at(5));
});

for (const [what, filter, expected] of [
  ['all', {}, ['fourth', 'third', 'second', 'first']],
  ['of a status', { status: 'DRAFT' }, ['second']],
  ['with a tag', { tag: 'b' }, ['fourth', 'second', 'first']],
  ['with the words of a search', { search: 'first' }, ['first']],
  ['in no series', { seriesId: null }, ['fourth', 'third']],
] satisfies [string, own.OwnArticlesFilter, string[]][]) {
  test(`own articles, ${what}, are listed newest first without deleted ones`, async () => {
    assert.deepEqual(titles(await list(filter)), expected);
  });
}

test('a series is listed in the order of its parts, in both directions', async () => {
  const parts = await list({ seriesId });
  assert.deepEqual(titles(parts), ['second', 'first']);
  const [second, first] = parts.map(({ id, partPosition }) => ({ id, partPosition: partPosition ?? 0 }));
  assert.deepEqual(titles(await list({ seriesId }, { after: second ?? null })), ['first']);
  assert.deepEqual(titles(await list({ seriesId }, { before: first ?? null })), ['second']);
  assert.deepEqual([own.isSeriesList({ seriesId }), own.isSeriesList({ seriesId: null })], [true, false]);
});

test('pages continue behind a cursor, or end directly in front of it', async () => {
  const cursors = (await list({})).map(({ id, createdMicros }) => ({ id, createdAt: createdMicros }));
  const [fourth, third, , first] = cursors;
  assert.deepEqual(titles(await list({}, { after: third ?? null, limit: 1 })), ['second']);
  assert.deepEqual(titles(await list({}, { before: first ?? null, limit: 2 })), ['third', 'second']);
  assert.deepEqual(titles(await list({}, { before: fourth ?? null })), []);
});

test('own articles are counted by status, and tags by use', async () => {
  assert.equal(await own.countOwnArticles(ledger.db, authorId), 4);
  assert.equal(await own.countOwnArticles(ledger.db, authorId, 'PUBLISHED'), 2);
  assert.deepEqual(await own.listOwnTags(ledger.db, authorId), [
    { tag: 'b', count: 3 },
    { tag: 'a', count: 1 },
    { tag: 'c', count: 1 },
  ]);
});

test('articles are found by their ids, with their documents and signals', async () => {
  const all = [...Object.values(ids), crypto.randomUUID()];
  const found = await own.listOwnArticlesByIds(ledger.db, authorId, all);
  assert.deepEqual(titles(found), ['fourth', 'third', 'second', 'first']);
  assert.deepEqual(await own.listOwnArticlesByIds(ledger.db, other, all), []);
  const articleId = ids.fourth ?? '';
  const document = await own.findOwnDocument(ledger.db, { authorId, articleId });
  assert.deepEqual([document?.title, document?.body, document?.fingerprint], ['fourth', 'Words.', Buffer.alloc(32)]);
  assert.equal(await own.findOwnDocument(ledger.db, { authorId: other, articleId }), undefined);
  assert.equal(await own.findOwnDocument(ledger.db, { authorId, articleId: ids.deleted ?? '' }), undefined);
  const none = { authorSignal: null, contentSignal: null };
  const signals = { ...none, contentSignal: 'ai-train=no' };
  assert.deepEqual(await own.findArticleSignals(ledger.db, { authorId, articleId }), signals);
  assert.deepEqual(await own.findArticleSignals(ledger.db, { authorId: other, articleId }), none);
});

test('a calendar has the published and scheduled times from its start to before its end', async () => {
  const calendar = (from: Date, end: Date, limit = 9) => listCalendar(ledger.db, { authorId, from, end, limit });
  const entry = (title: string, minutes: number, isScheduled = false) => ({
    ...{ id: ids[title], title, isScheduled, at: at(minutes) },
  });
  assert.deepEqual(await calendar(at(0), at(61)), [entry('first', 0), entry('fourth', 3), entry('third', 60, true)]);
  assert.deepEqual(await calendar(at(1), at(60)), [entry('fourth', 3)]);
  assert.deepEqual(await calendar(at(0), at(61), 1), [entry('first', 0)]);
});

test('the fifty newest notices of an article are listed newest first, each event once', async () => {
  const articleId = ids.first ?? '';
  const add = (count: number, key: string) =>
    addArticleNotice(ledger.db, {
      articleId,
      code: 'published_late',
      message: `${count}`,
      dedupeKey: key,
      now: at(count),
    });
  for (let count = 0; count < 51; count++) await add(count, `notice:${count}`);
  await add(99, 'notice:0');
  await addArticleNotice(ledger.db, {
    articleId: ids.second ?? '',
    code: 'published_late',
    message: '',
    dedupeKey: 'x',
    now: at(0),
  });
  const notices = await listArticleNotices(ledger.db, [articleId]);
  assert.deepEqual(notices[0], { articleId, code: 'published_late', message: '50', createdAt: at(50) });
  assert.deepEqual([notices.length, notices.at(-1)?.message], [50, '1']);
});

test('readers find a public article by its present and former address', async () => {
  const articleId = ids.fourth ?? '';
  await ledger.db.insertInto('slugRedirects').values({ slug: 'former', articleId }).execute();
  const address = { articleId, slug: 'fourth', isPublic: true };
  for (const slug of ['fourth', 'former']) {
    assert.deepEqual(await findAddress(ledger.db, slug), address);
    const found = await requirePublicArticle(ledger.db, slug);
    assert.deepEqual([found.id, found.slug, found.authorId], [articleId, 'fourth', authorId]);
  }
  for (const slug of ['second', 'third', 'unknown', 'a\0']) {
    assert.equal(await findAddress(ledger.db, slug), undefined);
    assert.equal(await seekPublicArticle(ledger.db, slug), undefined);
    await assert.rejects(requirePublicArticle(ledger.db, slug), {
      code: 'NOT_FOUND',
      message: 'There is no public article with this slug.',
      field: 'slug',
    });
  }
  assert.equal((await findArticleBySlug(ledger.db, 'second'))?.status, 'DRAFT');
  assert.equal(await findArticleBySlug(ledger.db, 'a\0'), undefined);
  assert.equal(await findPublicBody(ledger.db, articleId), 'Words.');
  assert.equal(await findPublicBody(ledger.db, ids.second ?? ''), undefined);
});
