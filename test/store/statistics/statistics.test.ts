/** The events that an author's statistics count, and their days. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { layOutRange, type RangeName } from '../../../store/calendar/ranges.ts';
import type { Database } from '../../../store/db/database.ts';
import { changeDigestSettings } from '../../../store/digests/settings.ts';
import { findDaySalt } from '../../../store/page-views/day-salt.ts';
import { recordPageViews } from '../../../store/page-views/record-page-views.ts';
import { countSteps } from '../../../store/statistics/count-steps.ts';
import { listSources } from '../../../store/statistics/list-sources.ts';
import { rankArticles } from '../../../store/statistics/rank-articles.ts';
import { addPageView } from '../../support/add-page-view.ts';
import { addArticle, addComment, addPerson, react } from '../../support/api/readership.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';

let database: OpenTestDatabase;
let db: Database;
before(async () => {
  database = await openTestDatabase();
  db = database.db;
});
after(() => database.close());

const NOW = new Date('2026-11-22T12:00:00Z');
const PAGE = { limit: 50, offset: 0 };

async function addAuthor(zone = 'UTC'): Promise<string> {
  const id = await addPerson(db);
  await changeDigestSettings(db, { userId: id, change: { zone }, now: NOW });
  return id;
}

const lay = (name: RangeName, zone = 'UTC', now = NOW) => layOutRange(name, { zone, now });
const read = (articleId: string, at: string, views = 1, host = 'direct') =>
  addPageView(db, { articleId, views, readingSeconds: views * 10, now: new Date(at), host });
const countAll = (authorId: string, range = lay('7d')) => countSteps(db, { authorId, articleId: null }, range);

async function suspend(userId: string): Promise<void> {
  await db.updateTable('users').set({ suspendedAt: NOW }).where('id', '=', userId).execute();
}

test('events before and after midnight in the author’s zone count for different days; days without events are zero', async () => {
  const zone = 'Pacific/Auckland';
  const author = await addAuthor(zone);
  const { id } = await addArticle(db, author);
  for (const at of ['2026-11-21T10:59:59Z', '2026-11-21T11:00:00Z']) {
    await read(id, at, 3);
    await react(db, id, await addPerson(db), new Date(at));
    await addComment(db, { articleId: id, userId: await addPerson(db), at: new Date(at) });
    await db
      .insertInto('followers')
      .values({ authorId: author, followerId: await addPerson(db), createdAt: new Date(at) })
      .execute();
    await db
      .insertInto('newsletterSubscribers')
      .values({ authorId: author, email: `${at}@example.org`, confirmedAt: new Date(at) })
      .execute();
  }
  // In that zone the 23rd has begun.
  const counts = await countAll(author, lay('7d', zone));
  assert.deepEqual(counts.views, { steps: [0, 0, 0, 0, 3, 3, 0], total: 6, before: 0 });
  assert.deepEqual(counts.readingSeconds.steps, [0, 0, 0, 0, 30, 30, 0]);
  for (const metric of ['reactions', 'comments', 'followers', 'subscribers'] as const) {
    assert.deepEqual(counts[metric].steps, [0, 0, 0, 0, 1, 1, 0], metric);
  }
});

test('both occurrences of a repeated hour belong to their day, and the first moment after it does not', async () => {
  const zone = 'Europe/Lisbon';
  const author = await addAuthor(zone);
  const { id } = await addArticle(db, author);
  for (const at of ['2026-10-24T23:00:00Z', '2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '2026-10-25T23:59:59Z']) {
    await read(id, at);
    await react(db, id, await addPerson(db), new Date(at));
  }
  await read(id, '2026-10-26T00:00:00Z', 5);
  await react(db, id, await addPerson(db), new Date('2026-10-26T00:00:00Z'));
  const { views, reactions } = await countAll(author, lay('7d', zone, new Date('2026-10-27T12:00:00Z')));
  assert.deepEqual(views.steps, [0, 0, 0, 0, 4, 5, 0]);
  assert.deepEqual(reactions.steps, [0, 0, 0, 0, 4, 1, 0]);
});

test('a range is compared with the one before; earlier events and those in between do not count', async () => {
  const author = await addAuthor();
  const { id } = await addArticle(db, author);
  for (const [at, views] of [
    ['2026-11-16T00:00:00Z', 1],
    ['2026-11-15T23:59:59Z', 10],
    ['2026-11-09T00:00:00Z', 100],
    ['2026-11-08T23:59:59Z', 1_000],
    // A year earlier: the last day of the compared range, and the first one after it.
    ['2025-11-22T23:59:59Z', 10_000],
    ['2025-11-23T00:00:00Z', 100_000],
  ] as const) {
    await read(id, at, views);
    await react(db, id, await addPerson(db), new Date(at));
  }
  const week = await countAll(author);
  assert.deepEqual([week.views.total, week.views.before], [1, 110]);
  assert.deepEqual([week.reactions.total, week.reactions.before], [1, 2]);
  const year = await countAll(author, lay('12m'));
  assert.deepEqual([year.views.total, year.views.before], [1_111, 10_000]);
  assert.equal(year.views.steps.at(-1), 1_111);
  assert.deepEqual([year.reactions.total, year.reactions.before], [4, 1]);
});

test('suspended users, the author, removed and hidden entries do not count; the comment of a deleted account does', async () => {
  const author = await addAuthor();
  const { id } = await addArticle(db, author);
  const [suspended, honest] = [await addPerson(db), await addPerson(db)];
  const at = new Date('2026-11-20T12:00:00Z');
  for (const userId of [author, suspended, honest]) {
    await react(db, id, userId, at);
    await addComment(db, { articleId: id, userId, at });
  }
  await addComment(db, { articleId: id, userId: honest, at, deletedAt: at });
  for (const change of [{ hiddenAt: at }, { userId: null }]) {
    const comment = await addComment(db, { articleId: id, userId: honest, at });
    await db.updateTable('comments').set(change).where('id', '=', comment).execute();
  }
  for (const followerId of [suspended, honest]) {
    await db.insertInto('followers').values({ authorId: author, followerId, createdAt: at }).execute();
  }
  const subscriber = { authorId: author, confirmedAt: at };
  await db
    .insertInto('newsletterSubscribers')
    .values([
      { ...subscriber, email: 'stays@example.org' },
      { ...subscriber, email: 'left@example.org', unsubscribedAt: at },
      { ...subscriber, email: 'silent@example.org', confirmedAt: null },
    ])
    .execute();
  await suspend(suspended);
  const { reactions, comments, followers, subscribers } = await countAll(author);
  assert.deepEqual(
    [reactions, comments, followers, subscribers].map(({ total }) => total),
    [1, 2, 1, 1],
  );
  const { articles } = await rankArticles(db, author, lay('7d'), PAGE);
  assert.equal(articles[0]?.reactions, 1);
});

test('articles rank by views: published ones also without views, drafts only with views, deleted ones as a sum', async () => {
  const author = await addAuthor();
  const add = async (title: string, views: number, status: 'PUBLISHED' | 'DRAFT' = 'PUBLISHED') => {
    const { id } = await addArticle(db, author, { title, status, publishedAt: new Date('2026-10-01T00:00:00Z') });
    if (views > 0) await read(id, '2026-11-20T12:00:00Z', views);
    return id;
  };
  await add('unread', 0);
  await add('never out', 0, 'DRAFT');
  await add('taken back', 5, 'DRAFT');
  await add('much read', 20);
  await read(await add('read long ago', 0), '2026-08-01T12:00:00Z', 99);
  const deleted = await add('deleted', 7);
  await db.updateTable('articles').set({ deletedAt: NOW, status: 'DRAFT' }).where('id', '=', deleted).execute();
  await addArticle(db, await addAuthor(), { title: 'of somebody else' });

  const ranking = await rankArticles(db, author, lay('7d'), PAGE);
  const titles = ranking.articles.map(({ title, views }) => [title, views]);
  assert.deepEqual(titles.slice(0, 2), [
    ['much read', 20],
    ['taken back', 5],
  ]);
  assert.deepEqual(new Set(titles.slice(2).map(([title]) => title)), new Set(['unread', 'read long ago']));
  assert.deepEqual(ranking.articles[0]?.steps, [0, 0, 0, 0, 20, 0, 0]);
  assert.deepEqual([ranking.count, ranking.deletedViews], [4, 7]);
  // Views of deleted articles still count.
  assert.equal((await countAll(author)).views.total, 32);
  const months = await rankArticles(db, author, lay('12m'), { limit: 1, offset: 0 });
  assert.deepEqual([months.articles[0]?.title, months.count, months.deletedViews], ['read long ago', 4, 7]);
  assert.equal(months.articles[0]?.steps.at(-4), 99);
  const beyond = await rankArticles(db, author, lay('7d'), { limit: 10, offset: 10 });
  assert.deepEqual([beyond.articles.length, beyond.count], [0, 4]);
});

test('one article has its own numbers, without followers', async () => {
  const author = await addAuthor();
  const [{ id: one }, { id: other }] = [await addArticle(db, author), await addArticle(db, author)];
  await read(one, '2026-11-20T12:00:00Z', 2, 'a.example');
  await read(other, '2026-11-20T12:00:00Z', 3, 'b.example');
  await react(db, other, await addPerson(db), NOW);
  const followerId = await addPerson(db);
  await db.insertInto('followers').values({ authorId: author, followerId, createdAt: NOW }).execute();
  const subject = { authorId: author, articleId: one };
  const { views, reactions, followers } = await countSteps(db, subject, lay('7d'));
  assert.deepEqual([views.total, reactions.total, followers.total], [2, 0, 0]);
  const span = lay('7d').total;
  assert.deepEqual((await listSources(db, subject, { span, limit: 5 })).listed, [{ host: 'a.example', views: 2 }]);
  const all = await listSources(db, { authorId: author, articleId: null }, { span, limit: 1 });
  assert.deepEqual(all, { listed: [{ host: 'b.example', views: 3 }], more: { hosts: 1, views: 2 }, views: 5 });
});

test('totals of authors and months equal the sums of the days, even with concurrent batches', async () => {
  const authors = await Promise.all([addAuthor('Asia/Tokyo'), addAuthor(), addAuthor()]);
  const articles = (await Promise.all(authors.flatMap((id) => [addArticle(db, id), addArticle(db, id)]))).map(
    ({ slug }) => slug,
  );
  const day = '2026-11-22';
  await findDaySalt(db, day);
  const record = (batch: number) => {
    const readings = articles.flatMap((slug, n) =>
      Array.from({ length: 10 }, (_, visitor) => ({
        slug,
        network: Buffer.from(`${batch} ${visitor}`.padEnd(16)),
        visitor: Buffer.from(`${batch} ${visitor}`.padEnd(16)),
        seconds: n,
        host: `h${visitor % 3}.example`,
      })),
    );
    return recordPageViews(db, { readings: batch % 2 ? readings : readings.reverse(), day, now: NOW });
  };
  await Promise.all(Array.from({ length: 8 }, (_, batch) => record(batch)));
  assert.equal(await countWrong(), 0);
  for (const author of authors) assert.equal((await countAll(author, lay('7d', 'Asia/Tokyo'))).views.total, 160);
});

/** Totals that differ from the sum of their parts. */
async function countWrong(): Promise<number> {
  const { rows } = await sql<{ wrong: number }>`
    select (select count(*) from (
        select author_id, day, sum(views), sum(reading_seconds) from article_days join articles on articles.id = article_id group by 1, 2
        except select author_id, day, views, reading_seconds from author_days) d)
      + (select count(*) from (
        select article_id, date_trunc('month', day)::date, sum(views), sum(reading_seconds) from article_days group by 1, 2
        except select article_id, month, views, reading_seconds from article_months) m)
      + (select count(*) from (
        select author_id, day, host, sum(views) from article_day_hosts join articles on articles.id = article_id group by 1, 2, 3
        except select author_id, day, host, views from author_day_hosts) h) as wrong`.execute(db);
  return Number(rows[0]?.wrong);
}
