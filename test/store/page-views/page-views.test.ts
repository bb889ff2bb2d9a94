/** Page views: readers, reading time, hosts and the salt of a day. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { Database } from '../../../store/db/database.ts';
import { changeDigestSettings } from '../../../store/digests/settings.ts';
import { findDaySalt, sweepDaySalts } from '../../../store/page-views/day-salt.ts';
import { listPageViews } from '../../../store/page-views/list-page-views.ts';
import { type PageView, recordPageViews } from '../../../store/page-views/record-page-views.ts';
import { addArticle, addPerson } from '../../support/api/readership.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';

let database: OpenTestDatabase;
let db: Database;
before(async () => {
  database = await openTestDatabase();
  db = database.db;
  await findDaySalt(db, DAY);
});
after(() => database.close());

const DAY = '2026-11-22';
const NOW = new Date('2026-11-22T12:30:00Z');
const hash = (text: string) => createHash('sha256').update(text).digest().subarray(0, 16);

function reading(slug: string, visitor: string, more: Partial<PageView> & { from?: string } = {}): PageView {
  const { from = visitor, ...rest } = more;
  return { slug, network: hash(`network ${from}`), visitor: hash(visitor), seconds: 0, host: 'direct', ...rest };
}

const record = (readings: PageView[], now = NOW) => recordPageViews(db, { readings, day: DAY, now });

async function setUp() {
  const authorId = await addPerson(db);
  return { authorId, ...(await addArticle(db, authorId)) };
}

test('a reader counts as one view per day, and reading time adds up to a limit', async () => {
  const { authorId, slug } = await setUp();
  await record([reading(slug, 'a', { seconds: 10 }), reading(slug, 'b')]);
  await record([reading(slug, 'a', { seconds: 50 })]);
  await record([reading(slug, 'b', { seconds: 9_999 })]);
  await record([reading(slug, 'b', { seconds: 9_999 })]);
  const [day] = await listPageViews(db, { authorId, slug, days: 7 });
  assert.deepEqual([day?.views, day?.readingSeconds], [2, 60 + 1_800]);
});

test('simultaneous batches of several instances count each reader once', async () => {
  const articles = await Promise.all(Array.from({ length: 3 }, setUp));
  const batch = () =>
    articles.flatMap(({ slug }) =>
      Array.from({ length: 20 }, (_, n) => reading(slug, `v${n}`, { host: `h${n % 4}.example` })),
    );
  await Promise.all(Array.from({ length: 6 }, () => record(batch().sort(() => Math.random() - 0.5))));
  for (const { authorId, slug } of articles) {
    const [day] = await listPageViews(db, { authorId, slug, days: 1 });
    assert.equal(day?.views, 20);
    assert.deepEqual(
      day?.hosts.map(({ views }) => views),
      [5, 5, 5, 5],
    );
  }
});

test('totals are for the day in the author’s zone', async () => {
  const { authorId, slug } = await setUp();
  await changeDigestSettings(db, { userId: authorId, change: { zone: 'Pacific/Auckland' }, now: NOW });
  await record([reading(slug, 'a')]);
  const [day] = await listPageViews(db, { authorId, slug, days: 7 });
  assert.equal(day?.day, '2026-11-23');
});

test('one network counts as a limited number of readers, in one batch and in many', async () => {
  const { authorId, slug } = await setUp();
  const crowd = (from: number) =>
    Array.from({ length: 40 }, (_, n) => reading(slug, `agent ${from + n}`, { from: 'office' }));
  for (const from of [0, 40, 80, 0]) await record(crowd(from));
  await record([reading(slug, 'elsewhere')]);
  const [day] = await listPageViews(db, { authorId, slug, days: 7 });
  assert.equal(day?.views, 51);
});

test('hosts are limited per article and day; further ones count as other', async () => {
  const { authorId, slug } = await setUp();
  const from = (start: number) =>
    Array.from({ length: 90 }, (_, n) => reading(slug, `v${start + n}`, { host: `h${start + n}.example` }));
  await record(from(0));
  await record(from(90));
  await record([reading(slug, 'last', { host: 'h5.example' })]);
  const [day] = await listPageViews(db, { authorId, slug, days: 7 });
  const named = day?.hosts.filter(({ host }) => host !== 'other') ?? [];
  assert.equal(named.length, 100);
  assert.equal(day?.hosts.find(({ host }) => host === 'other')?.views, 80);
  assert.equal(day?.hosts.find(({ host }) => host === 'h5.example')?.views, 2);
  assert.equal(day?.views, 181);
});

test('articles that are not public or do not exist are not counted', async () => {
  const author = await addPerson(db);
  const draft = await addArticle(db, author, { status: 'DRAFT' });
  await record([reading(draft.slug, 'a'), reading('nothing-here', 'a')]);
  assert.deepEqual(await listPageViews(db, { authorId: author, slug: draft.slug, days: 7 }), []);
  const { slug } = await setUp();
  await assert.rejects(listPageViews(db, { authorId: author, slug, days: 7 }), {
    code: 'NOT_FOUND',
    message: 'You have no such article.',
    field: 'slug',
  });
});

test('the salt of a day is shared, and is deleted after the day together with the visitors', async () => {
  const other = await openTestDatabase();
  try {
    const day = '2026-11-20';
    const [one, two] = await Promise.all([findDaySalt(other.db, day), findDaySalt(other.db, day)]);
    assert.deepEqual(one, two);
    assert.notDeepEqual(await findDaySalt(other.db, '2026-11-21'), one);
    const author = await addPerson(other.db);
    const { slug } = await addArticle(other.db, author);
    await recordPageViews(other.db, { readings: [reading(slug, 'a')], day, now: NOW });
    await sweepDaySalts(other.db, new Date('2026-11-21T00:05:00Z'));
    assert.equal((await other.db.selectFrom('readingVisitors').selectAll().execute()).length, 1);
    await sweepDaySalts(other.db, new Date('2026-11-21T00:11:00Z'));
    assert.deepEqual(await other.db.selectFrom('readingVisitors').selectAll().execute(), []);
    assert.deepEqual(
      (await other.db.selectFrom('readingSalts').select('day').execute()).map((row) => row.day),
      ['2026-11-21'],
    );
    assert.equal((await listPageViews(other.db, { authorId: author, slug, days: 7 })).length, 1);
  } finally {
    await other.close();
  }
});
