/** The weekly roundup: its articles, its notifications and its page. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { findWeekBefore } from '../../../store/calendar/week.ts';
import type { Database } from '../../../store/db/database.ts';
import { createRoundup } from '../../../store/roundups/create-roundup.ts';
import { findRoundup } from '../../../store/roundups/read-roundups.ts';
import { addArticle, addComment, addPerson, react } from '../../support/api/readership.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';

const WEEK = findWeekBefore(new Date('2026-11-23T06:00:00Z'));
const THURSDAY = new Date('2026-11-19T12:00:00Z');

let database: OpenTestDatabase;
let db: Database;
before(async () => {
  database = await openTestDatabase();
  db = database.db;
});
beforeEach(async () => {
  await db.deleteFrom('roundups').execute();
  await db.deleteFrom('users').execute();
});
after(() => database.close());

/** An article with this many views in the week. */
async function read(views: number, more: Parameters<typeof addArticle>[2] & { authorId?: string; day?: string } = {}) {
  const { authorId, day, ...article } = more;
  const owner = authorId ?? (await addPerson(db));
  const { id } = await addArticle(db, owner, { publishedAt: THURSDAY, ...article });
  await db
    .insertInto('articleDays')
    .values({ articleId: id, day: day ?? '2026-11-20', views })
    .execute();
  return { id, authorId: owner };
}

const featured = async () => {
  await createRoundup(db, WEEK, new Date());
  const rows = await db.selectFrom('roundupEntries').select(['articleId', 'score']).orderBy('position').execute();
  return rows.map(({ articleId, score }) => [articleId, score]);
};

test('weeks are ISO weeks in UTC, and the week before is the last complete one', () => {
  assert.deepEqual(WEEK, {
    week: '2026-W47',
    from: new Date('2026-11-16T00:00:00Z'),
    end: new Date('2026-11-23T00:00:00Z'),
  });
  for (const [at, week] of [
    ['2026-11-22T23:59:59Z', '2026-W46'],
    ['2026-11-29T23:59:59Z', '2026-W47'],
    ['2027-01-04T06:00:00Z', '2026-W53'],
    ['2027-01-10T06:00:00Z', '2026-W53'],
    ['2025-01-06T06:00:00Z', '2025-W01'],
  ] as const)
    assert.equal(findWeekBefore(new Date(at)).week, week, at);
});

test('the score is views + 5 per reaction + 10 per commenter, without the author’s own and other weeks', async () => {
  const { id, authorId } = await read(20);
  const reader = await addPerson(db);
  await react(db, id, reader, THURSDAY);
  await react(db, id, authorId, THURSDAY);
  await react(db, id, await addPerson(db), new Date('2026-11-23T00:00:00Z'));
  for (const userId of [reader, reader, authorId]) await addComment(db, { articleId: id, userId, at: THURSDAY });
  await addComment(db, { articleId: id, userId: await addPerson(db), at: THURSDAY, deletedAt: THURSDAY });
  await db.insertInto('articleDays').values({ articleId: id, day: '2026-11-23', views: 500 }).execute();
  const bot = await addPerson(db);
  await react(db, id, bot, THURSDAY);
  await addComment(db, { articleId: id, userId: bot, at: THURSDAY });
  await db.updateTable('users').set({ suspendedAt: THURSDAY }).where('id', '=', bot).execute();
  assert.deepEqual(await featured(), [[id, 35]]);
  const entries = await db.selectFrom('roundupEntries').selectAll().execute();
  assert.deepEqual(entries, [
    { week: '2026-W47', position: 1, articleId: id, score: 35, views: 20, reactions: 1, commenters: 1 },
  ]);
});

test('a roundup has at most ten articles, two per author, the best first, and none below a score of 10', async () => {
  const authorId = await addPerson(db);
  const own = [];
  for (const views of [100, 99, 98]) own.push(await read(views, { authorId }));
  const others = [];
  for (let views = 5; views <= 25; views++) others.push(await read(views));
  const best = others
    .toReversed()
    .slice(0, 8)
    .map(({ id }, index) => [id, 25 - index]);
  assert.deepEqual(await featured(), [[own[0]?.id, 100], [own[1]?.id, 99], ...best]);
});

test('with equal scores, the article published first comes first', async () => {
  const second = await read(30, { publishedAt: new Date('2026-11-19T12:00:01Z') });
  const first = await read(30);
  assert.deepEqual(await featured(), [
    [first.id, 30],
    [second.id, 30],
  ]);
});

test('drafts, imports, an author’s later articles with one canonical URL, old articles and suspended authors are left out', async () => {
  const first = await read(50, {
    canonicalKey: 'https://example.org/one',
    publishedAt: new Date('2026-11-09T00:00:00Z'),
  });
  await read(50, { authorId: first.authorId, canonicalKey: 'https://example.org/one' });
  await read(50, { status: 'DRAFT' });
  await read(50, { imported: true });
  await read(50, { body: '' });
  await read(50, { publishedAt: new Date('2026-11-08T23:59:59Z') });
  await read(50, { publishedAt: new Date('2026-11-23T00:00:00Z') });
  const { authorId } = await read(50);
  await db.updateTable('users').set({ suspendedAt: THURSDAY }).where('id', '=', authorId).execute();
  assert.deepEqual(await featured(), [[first.id, 50]]);
});

test('each author is notified once per article, even if several runs create the roundup at once', async () => {
  const { id, authorId } = await read(50, { title: 'Featured\r\nBcc: v@x' });
  const counts = await Promise.all(Array.from({ length: 5 }, () => createRoundup(db, WEEK, new Date())));
  assert.deepEqual(counts, [1, 1, 1, 1, 1]);
  // Later events change nothing.
  await read(5_000);
  assert.deepEqual(await featured(), [[id, 50]]);
  const notifications = await db
    .selectFrom('notifications')
    .select(['type', 'payload', 'userId', 'link', 'dedupeKey'])
    .execute();
  assert.deepEqual(notifications, [
    {
      type: 'FEATURED_ROUNDUP',
      payload: { postTitle: 'Featured\r\nBcc: v@x' },
      userId: authorId,
      link: '/roundup/2026-W47',
      dedupeKey: `roundup:2026-W47:${id}`,
    },
  ]);
});

test('an article is featured only once, and a week without articles has no page', async () => {
  await read(50);
  await featured();
  const next = findWeekBefore(new Date('2026-11-30T06:00:00Z'));
  const [entry] = await db.selectFrom('roundupEntries').select('articleId').execute();
  await db
    .insertInto('articleDays')
    .values({ articleId: entry?.articleId ?? '', day: '2026-11-25', views: 90 })
    .execute();
  assert.equal(await createRoundup(db, next, new Date()), 0);
  assert.equal(await findRoundup(db, next.week), undefined);
  assert.equal((await findRoundup(db, WEEK.week))?.length, 1);
});

test('an unpublished article is removed from the page', async () => {
  const { id } = await read(50);
  await featured();
  await db.updateTable('articles').set({ status: 'DRAFT' }).where('id', '=', id).execute();
  assert.deepEqual(await findRoundup(db, WEEK.week), []);
});
