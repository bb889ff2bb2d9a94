/** An author's series: titles, parts and their order. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as reads from '../../../store/series/list-series.ts';
import * as series from '../../../store/series/series.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const NOW = new Date('2026-11-01T09:00:00Z');
const create = (authorId: string, title: string) => series.createSeries(ledger.db, { authorId, title, now: NOW });
const place = (authorId: string, articleId: string, seriesId: string) =>
  ledger.db.transaction().execute((tx) => series.placeInSeries(tx, { authorId, articleId, seriesId }));
const listTitles = async (authorId: string) => {
  const listed = await reads.listOwnSeries(ledger.db, authorId, { limit: 10, after: null });
  return listed.map(({ title }) => title);
};
async function listParts(seriesId: string) {
  const rows = ledger.db
    .selectFrom('articles')
    .select(['id', 'partPosition'])
    .where('partOf', '=', seriesId)
    .orderBy('partPosition');
  return (await rows.execute()).map(({ id, partPosition }) => [partPosition, id]);
}

const NO_SERIES = { code: 'NOT_FOUND', message: 'You have no such series.', field: 'id' };
const TITLE_TAKEN = {
  code: 'TITLE_TAKEN',
  message: 'You already have a series with this title (case is ignored). Choose another title.',
  field: 'title',
};

test('the titles of an author’s series differ in more than case', async () => {
  const [authorId, other] = [await ledger.addAuthor(), await ledger.addAuthor()];
  const { id: seriesId } = await create(authorId, 'One');
  await create(authorId, 'Two');
  await create(other, 'One');
  await assert.rejects(create(authorId, 'ONE'), TITLE_TAKEN);
  await assert.rejects(series.renameSeries(ledger.db, { authorId, seriesId, title: 'two' }), TITLE_TAKEN);
  await series.renameSeries(ledger.db, { authorId, seriesId, title: 'Three' });
  assert.deepEqual(await listTitles(authorId), ['Three', 'Two']);
  assert.deepEqual(await reads.findOwnSeries(ledger.db, { authorId, seriesId }), {
    ...{ id: seriesId, title: 'Three', titleKey: 'three', createdAt: NOW },
  });
  assert.deepEqual(await listTitles(other), ['One']);
});

test('an author has 500 series at most', async () => {
  const authorId = await ledger.addAuthor();
  const rows = Array.from({ length: 499 }, (_, index) => ({
    ...{ authorId, title: `${index}`, titleKey: `${index}`, createdAt: NOW },
  }));
  await ledger.db.insertInto('series').values(rows).execute();
  await create(authorId, 'The last one');
  await assert.rejects(create(authorId, 'Too many'), {
    code: 'TOO_MANY',
    message: 'You have 500 series, which is the maximum. Delete one first.',
  });
});

test('another author’s series, or none, can be neither read nor changed', async () => {
  const [authorId, other] = [await ledger.addAuthor(), await ledger.addAuthor()];
  const { id } = await create(authorId, 'Mine');
  for (const seriesId of [id, crypto.randomUUID(), 'no-id']) {
    const target = { authorId: other, seriesId };
    await assert.rejects(series.renameSeries(ledger.db, { ...target, title: 'Yours' }), NO_SERIES);
    await assert.rejects(series.deleteSeries(ledger.db, target), NO_SERIES);
    await assert.rejects(series.orderSeries(ledger.db, { ...target, articleIds: [] }), NO_SERIES);
    assert.equal(await reads.findOwnSeries(ledger.db, target), undefined);
  }
  assert.deepEqual(await reads.listSeriesByIds(ledger.db, other, [id]), []);
  assert.deepEqual(await listTitles(authorId), ['Mine']);
});

test('a deleted series leaves its articles, and a deleted account can change none', async () => {
  const authorId = await ledger.addAuthor();
  const { id: seriesId } = await create(authorId, 'Ended');
  const { id: kept } = await create(authorId, 'Kept');
  const articleId = await ledger.addArticle(authorId);
  await place(authorId, articleId, seriesId);
  await series.deleteSeries(ledger.db, { authorId, seriesId });
  const { partOf } = await ledger.article(articleId);
  assert.deepEqual([partOf, await listTitles(authorId)], [null, ['Kept']]);
  await ledger.db.updateTable('users').set({ deletedAt: NOW }).where('id', '=', authorId).execute();
  const gone = { code: 'UNAUTHENTICATED', message: 'This account no longer exists. Nothing was changed.' };
  for (const change of [
    () => create(authorId, 'Late'),
    () => series.deleteSeries(ledger.db, { authorId, seriesId: kept }),
    () => series.orderSeries(ledger.db, { authorId, seriesId: kept, articleIds: [] }),
    () => series.removeFromSeries(ledger.db, { authorId, articleId }),
  ]) {
    await assert.rejects(change(), gone);
  }
});

test('a new part comes last, a part stays at its place, and an unknown series is a warning', async () => {
  const [authorId, other] = [await ledger.addAuthor(), await ledger.addAuthor()];
  const { id } = await create(authorId, 'The parts');
  const { id: foreign } = await create(other, 'Not mine');
  const [first, second] = [await ledger.addArticle(authorId), await ledger.addArticle(authorId)];
  assert.deepEqual(await place(authorId, first, id), []);
  assert.deepEqual(await place(authorId, second, 'THE PARTS'), []);
  assert.deepEqual(await place(authorId, first, id.toUpperCase()), []);
  assert.deepEqual(await listParts(id), [
    [1, first],
    [2, second],
  ]);
  for (const seriesId of ['Unknown', foreign, 'Not mine']) {
    const message = `"${seriesId}" is neither the id nor the title of one of your series, so the article was published without a series. Create the series and publish again.`;
    assert.deepEqual(await place(authorId, second, seriesId), [{ code: 'series_unknown', path: 'series_id', message }]);
    const { partOf, partPosition } = await ledger.article(second);
    assert.deepEqual([partOf, partPosition], [null, null]);
  }
});

test('an id precedes a title that is written like an id', async () => {
  const authorId = await ledger.addAuthor();
  const { id } = await create(authorId, 'By id');
  const { id: named } = await create(authorId, id);
  const articleId = await ledger.addArticle(authorId);
  await place(authorId, articleId, id);
  assert.deepEqual([await listParts(id), await listParts(named)], [[[1, articleId]], []]);
});

test('listed articles come first, in any case of their ids, and the other parts follow in their order', async () => {
  const authorId = await ledger.addAuthor();
  const { id: seriesId } = await create(authorId, 'Ordered');
  const add = () => ledger.addArticle(authorId);
  const [one, two, three, added] = [await add(), await add(), await add(), await add()];
  for (const articleId of [one, two, three]) await place(authorId, articleId, seriesId);
  const order = (articleIds: string[]) => series.orderSeries(ledger.db, { authorId, seriesId, articleIds });
  await order([three.toUpperCase(), added]);
  const expected = [
    [1, three],
    [2, added],
    [3, one],
    [4, two],
  ];
  assert.deepEqual(await listParts(seriesId), expected);
  const foreign = await ledger.addArticle(await ledger.addAuthor());
  const deleted = await ledger.addArticle(authorId, { deletedAt: NOW });
  const notYours = { code: 'NOT_FOUND', message: 'One of these articles is not yours.', field: 'articleIds' };
  for (const id of [foreign, deleted, crypto.randomUUID(), 'no-id']) await assert.rejects(order([one, id]), notYours);
  await assert.rejects(order([one, one.toUpperCase()]), {
    code: 'BAD_INPUT',
    message: 'An article is listed twice.',
    field: 'articleIds',
  });
  assert.deepEqual(await listParts(seriesId), expected);
  await ledger.db.updateTable('articles').set({ deletedAt: NOW }).where('id', '=', two).execute();
  const { id: empty } = await create(authorId, 'Empty');
  const counts = await reads.countParts(ledger.db, authorId, [seriesId, empty]);
  assert.deepEqual([...counts], [[seriesId, 3]]);
  assert.deepEqual([...(await reads.countParts(ledger.db, await ledger.addAuthor(), [seriesId]))], []);
});

test('an article is removed from its series, also twice, but not another author’s or a deleted one', async () => {
  const authorId = await ledger.addAuthor();
  const { id: seriesId } = await create(authorId, 'Shrinking');
  const [articleId, deleted] = [await ledger.addArticle(authorId), await ledger.addArticle(authorId)];
  for (const id of [articleId, deleted]) await place(authorId, id, seriesId);
  await ledger.db.updateTable('articles').set({ deletedAt: NOW }).where('id', '=', deleted).execute();
  const refusal = { code: 'NOT_FOUND', message: 'You have no such article.', field: 'articleId' };
  const remove = (id: string, author = authorId) =>
    series.removeFromSeries(ledger.db, { authorId: author, articleId: id });
  await assert.rejects(remove(articleId, await ledger.addAuthor()), refusal);
  for (const id of [deleted, 'no-id', crypto.randomUUID()]) await assert.rejects(remove(id), refusal);
  for (let times = 0; times < 2; times++) await remove(articleId);
  const { partOf, partPosition } = await ledger.article(articleId);
  assert.deepEqual([partOf, partPosition, (await listParts(seriesId)).length], [null, null, 1]);
});

test('series are listed in the byte order of their titles, page by page', async () => {
  const authorId = await ledger.addAuthor();
  for (const title of ['b', 'Ä', 'a', 'C']) await create(authorId, title);
  const list = (after: reads.SeriesPosition | null) => reads.listOwnSeries(ledger.db, authorId, { limit: 3, after });
  const first = await list(null);
  const second = await list(first.at(-1) ?? null);
  assert.deepEqual(
    [first, second].map((page) => page.map(({ title }) => title)),
    [['a', 'b', 'C'], ['Ä']],
  );
  const ids = first.slice(0, 2).map(({ id }) => id);
  const found = await reads.listSeriesByIds(ledger.db, authorId, [...ids, crypto.randomUUID()]);
  assert.deepEqual(found.map(({ title }) => title).sort(), ['a', 'b']);
});
