/** Tests the search for stalled articles and deliveries. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { ActivityDeps } from '../../../activities/deps.ts';
import { createStalledActivities } from '../../../activities/stalled/wake.ts';
import { wakeStalled } from '../../../store/deliveries/stalled.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';
import { begin, DELIVERED } from './support/begun.ts';

let ledger: TestLedger;
let author: string;
before(async () => {
  ledger = await openTestLedger();
  author = await ledger.addAuthor();
  await ledger.addConnection(author, 'blogsite_a');
});
after(() => ledger.close());

const now = new Date();
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
type Article = Parameters<TestLedger['addArticle']>[1];
type Delivery = Parameters<TestLedger['addDelivery']>[1];

async function add(article: Article, delivery: Delivery | null, authorId = author) {
  const id = await ledger.addArticle(authorId, { dispatch: 2, ...article });
  if (delivery) await ledger.addDelivery(id, delivery);
  return { id };
}

const isWoken = async (id: string) => (await ledger.outbox(id)).length > 0;
async function look(at = now): Promise<number> {
  await sql`truncate outbox`.execute(ledger.db);
  return wakeStalled(ledger.db, { now: at, limit: 100_000 });
}

const SCHEDULED = { status: 'SCHEDULED', publishedAt: null } as const;
const DUE = { dueAt: ago(5) };

const FORGOTTEN: [string, Article, Delivery | null][] = [
  ['a scheduled article that is due', { ...SCHEDULED, scheduledAt: ago(1) }, null],
  ['a scheduled article that is long overdue', { ...SCHEDULED, scheduledAt: ago(60 * 24 * 30) }, null],
  ['a scheduled article that is due before the next search', { ...SCHEDULED, scheduledAt: ago(-3) }, null],
  ['a delivery that is due', {}, DUE],
  ['a delivery that has been due for months', {}, { dueAt: ago(60 * 24 * 90) }],
  ['a draft with a due withdrawal', { status: 'DRAFT' }, { ...DUE, copy: {} }],
  ['a rescheduled article with a due withdrawal', { ...SCHEDULED, scheduledAt: ago(-60 * 24) }, DUE],
];

const FINE: [string, Article, Delivery | null][] = [
  ['scheduled for tomorrow', { ...SCHEDULED, scheduledAt: ago(-60 * 24) }, null],
  ['published a moment ago', {}, null],
  ['due since a moment ago', {}, { dueAt: ago(1) }],
  ['due later, in a pause or waiting for its rate slot', {}, { dueAt: ago(-30) }],
  ['not due', {}, { handledDispatch: 2, copy: {} }],
  ['a draft', { status: 'DRAFT' }, null],
  ['due at a destination that is not connected', {}, { ...DUE, destination: 'blogsite_b' }],
];

test('stalled articles and deliveries are woken once', async () => {
  const added = await Promise.all(FORGOTTEN.map(([, article, delivery]) => add(article, delivery)));
  await look();
  for (const [index, { id }] of added.entries()) assert.ok(await isWoken(id), FORGOTTEN[index]?.[0]);
  assert.equal(await wakeStalled(ledger.db, { now, limit: 100_000 }), 0);
  await ledger.db.deleteFrom('articles').execute();
});

test('articles that are not overdue, or that wait for their author, are not woken', async () => {
  const added = await Promise.all(FINE.map(([, article, delivery]) => add(article, delivery)));
  await look();
  for (const [index, { id }] of added.entries()) assert.ok(!(await isWoken(id)), FINE[index]?.[0]);
  await ledger.db.deleteFrom('articles').execute();
});

test('deliveries with a refused or deleted connection or a suspended author are not woken', async () => {
  const refused = await ledger.addAuthor();
  await ledger.addConnection(refused, 'blogsite_a', { status: 'unauthorised' });
  const disconnected = await ledger.addAuthor();
  const suspended = await ledger.addAuthor();
  await ledger.addConnection(suspended);
  await ledger.db
    .updateTable('users')
    .set({ suspendedAt: ago(60) })
    .where('id', '=', suspended)
    .execute();
  for (const one of [refused, disconnected, suspended]) await add({}, DUE, one);
  await add({ ...SCHEDULED, scheduledAt: ago(5) }, null, suspended);
  assert.equal(await look(), 0);
  await add({ status: 'DRAFT' }, { ...DUE, copy: {} }, suspended);
  assert.equal(await look(), 1, 'what a suspended author has out there is withdrawn');
  await ledger.db.deleteFrom('articles').execute();
});

test('a newer revision published during a delivery is due after it', async () => {
  const { articleId, mark, end } = await begin(ledger);
  const sent = await mark();
  await sql`update articles set revision = 2, dispatch = 2 where id = ${articleId}`.execute(ledger.db);
  await end(sent, DELIVERED);
  assert.equal(await look(new Date(Date.now() + 10 * 60_000)), 1);
  assert.ok(await isWoken(articleId));
  await ledger.db.deleteFrom('articles').execute();
});

test('the search reads only the few due rows among thousands of articles', async () => {
  // In portions: one statement for all rows can exceed the time-out of twelve seconds.
  for (let from = 1; from < 20_000; from += 2_000) {
    await sql`
      with bulk as (insert into articles (author_id, slug, title, title_key, canonical_key, cross_post, status, source, body, derived,
        fingerprint, content_hash, dispatch, dispatched_at, published_at, scheduled_at)
      select ${author}, 'bulk-' || n, 't', 't' || n, 'self:bulk-' || n, '{"blogsite_a": true}', case when n % 100 = 0 then 'SCHEDULED' else 'PUBLISHED' end,
        '', 'words', '{}', '\\x00', '', 1, now() - interval '1 day' * (8 + n % 500), now(), now() + interval '1 day' * n
      from generate_series(${from}::int, ${from + 1_999}::int) n returning id, slug)
      select from bulk`.execute(ledger.db);
  }
  await sql`update deliveries set due_at = null, handled_dispatch = 1`.execute(ledger.db);
  await sql`analyze articles, deliveries, connections, users`.execute(ledger.db);
  const { id } = await add({}, DUE);
  const read = await ledger.db.transaction().execute(async (tx) => {
    // Statistics of earlier statements may arrive late, so the test compares differences.
    const rowsRead = async () => {
      const { rows } = await sql<{ relname: string; tuples: string }>`
        select relname, coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as tuples
        from pg_stat_xact_user_tables where relname in ('articles', 'deliveries') order by relname`.execute(tx);
      return rows.map(({ tuples }) => Number(tuples));
    };
    const before = await rowsRead();
    await wakeStalled(tx, { now, limit: 1_000 });
    return (await rowsRead()).map((tuples, index) => tuples - (before[index] ?? 0));
  });
  assert.equal(read.length, 2);
  assert.ok(
    read.every((tuples) => tuples < 500),
    `${read} rows of articles and deliveries were read`,
  );
  assert.equal(await look(), 1);
  assert.ok(await isWoken(id));
});

test('the first portion of 12,000 due schedules also wakes a stalled delivery, the most overdue of both first', async () => {
  await sql`truncate articles cascade`.execute(ledger.db);
  // In portions: one statement for all rows can exceed the time-out of twelve seconds.
  for (let from = 1; from < 12_000; from += 2_000) {
    await sql`insert into articles (author_id, slug, title, title_key, canonical_key, cross_post, status, source, body, derived,
        fingerprint, content_hash, dispatch, dispatched_at, scheduled_at)
      select ${author}, 'due-' || n, 't', 't' || n, 'self:due-' || n, '{}', 'SCHEDULED', '', 'words', '{}', '\\x00', '', 1, now() - interval '2 hours',
        now() - interval '1 hour' + interval '1 millisecond' * n
      from generate_series(${from}::int, ${from + 1_999}::int) n`.execute(ledger.db);
  }
  const stalled = [];
  for (let n = 0; n < 5; n++) stalled.push((await add({}, DUE)).id);
  await sql`truncate outbox`.execute(ledger.db);
  assert.equal(await wakeStalled(ledger.db, { now, limit: 1_000 }), 1_000);
  for (const id of stalled) assert.ok(await isWoken(id));
  const { rows } = await sql<{ slug: string }>`select slug from outbox o join articles a on a.id = o.article_id
    where a.status = 'SCHEDULED' order by a.scheduled_at desc limit 1`.execute(ledger.db);
  assert.equal(rows[0]?.slug, 'due-995');
});

test('one run of the search wakes everything stalled, in portions', async (t) => {
  await sql`truncate outbox`.execute(ledger.db);
  const { wakeStalledArticles } = createStalledActivities({ db: ledger.db, now: () => now } as ActivityDeps);
  // A run ends after some seconds, which is only part of them on a slow machine.
  t.mock.method(performance, 'now', () => 0);
  assert.equal(await wakeStalledArticles(), 12_005);
  assert.equal(await wakeStalledArticles(), 0);
  await sql`truncate articles cascade`.execute(ledger.db);
});
