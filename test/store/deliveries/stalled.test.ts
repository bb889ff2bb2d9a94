import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { ActivityDeps } from '../../../activities/deps.ts';
import { createStalledActivities } from '../../../activities/stalled/wake.ts';
import { recordDelivered } from '../../../store/deliveries/record-outcome.ts';
import { wakeStalled } from '../../../store/deliveries/stalled.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';

let ledger: TestLedger;
let author: string;
before(async () => {
  ledger = await openTestLedger();
  author = await ledger.addAuthor();
  await ledger.addConnection(author, 'blogsite_a');
  const gone = { id: GONE, userId: author, destination: 'blogsite_b', platform: 'hashnode', identity: 'gone' } as const;
  await ledger.db.insertInto('accounts').values(gone).execute();
});
after(() => ledger.close());

const now = new Date();
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
type Article = Parameters<TestLedger['addArticle']>[1];
type Delivery = Parameters<TestLedger['addDelivery']>[1] & { open?: Parameters<TestLedger['addDelivery']>[2] };

/** An article whose last change is ten minutes old, like its delivery. */
async function add(article: Article, delivery: Delivery | null, authorId = author) {
  const id = await ledger.addArticle(authorId, { dispatch: 2, dispatchedAt: ago(10), ...article });
  const { open, ...row } = delivery ?? {};
  const deliveryId = delivery && (await ledger.addDelivery(id, { updatedAt: ago(10), ...row }, open));
  return { id, deliveryId: deliveryId ?? '' };
}

const isWoken = async (id: string) => (await ledger.outbox(id)).length > 0;
async function look(at = now): Promise<number> {
  await sql`truncate outbox`.execute(ledger.db);
  return wakeStalled(ledger.db, { now: at, limit: 100_000 });
}

const SCHEDULED = { status: 'SCHEDULED', publishedAt: null } as const;
const LIVE = { remoteId: 'r', state: 'delivered', handledDispatch: 1 } as const;

/** An account of the author's that is not connected. */
const GONE = '00000000-0000-4000-8000-000000000001';
const ANSWERED = {
  answer: JSON.stringify({ kind: 'done', remote: { remoteId: 'r', url: 'https://there.example/r', changedAt: null } }),
  answeredAt: ago(9),
};

const FORGOTTEN: [string, Article, Delivery | null][] = [
  ['a scheduled article that is due', { ...SCHEDULED, scheduledAt: ago(1) }, null],
  ['one that is long overdue', { ...SCHEDULED, scheduledAt: ago(60 * 24 * 30) }, null],
  ['one that is due before the next look', { ...SCHEDULED, scheduledAt: ago(-3) }, null],
  ['a published one whose delivery has no row yet', {}, null],
  ['a delivery that was never tried', {}, { state: 'pending' }],
  ['one whose pause is over', {}, { state: 'pending', nextAttemptAt: ago(5), lastErrorCode: 'unavailable' }],
  ['one that died on the wire', {}, { state: 'delivering', open: { startedAt: ago(9) } }],
  ['a newer revision of what was delivered', {}, LIVE],
  ['a failure that was answered by a newer publish', {}, { state: 'failed', handledDispatch: 1 }],
  ['a draft whose copy is still there', { status: 'DRAFT' }, LIVE],
  ['a draft that may have been made', { status: 'DRAFT' }, { state: 'delivering', open: { startedAt: ago(9) } }],
  ['a withdrawal that its author asked for', {}, { ...LIVE, withdrawRequested: true }],
  ['one that is scheduled again, and whose copy is still there', { ...SCHEDULED, scheduledAt: ago(-60 * 24) }, LIVE],
  [
    'an answer that nobody has written down, of a destination that is gone',
    {},
    { destination: 'blogsite_b', accountId: GONE, state: 'delivering', open: ANSWERED },
  ],
  ['an older revision at an account that has returned', {}, { ...LIVE, state: 'stale', handledDispatch: 2 }],
  ['a skip of an earlier publish', {}, { state: 'failed', handledDispatch: 1, skippedDispatch: 1 }],
];

const FINE: [string, Article, Delivery | null][] = [
  ['scheduled for tomorrow', { ...SCHEDULED, scheduledAt: ago(-60 * 24) }, null],
  ['published a moment ago', { dispatchedAt: ago(1) }, { state: 'pending', updatedAt: ago(1) }],
  ['delivered', {}, { ...LIVE, handledDispatch: 2 }],
  ['failed, and its author was notified', {}, { state: 'failed', handledDispatch: 2 }],
  ['unknown, and its author was asked', {}, { state: 'unknown', open: {}, handledDispatch: 2 }],
  ['held for its credential', {}, { state: 'held' }],
  ['skipped', {}, { state: 'failed', handledDispatch: 2, skippedDispatch: 2 }],
  ['in a pause that is not over', {}, { state: 'pending', nextAttemptAt: ago(-30) }],
  ['waiting for its rate slot', {}, { state: 'pending', nextAttemptAt: ago(-300) }],
  ['tried a moment ago', {}, { state: 'delivering', open: {}, updatedAt: ago(1) }],
  ['a draft', { status: 'DRAFT' }, null],
  ['a draft, withdrawn everywhere', { status: 'DRAFT' }, { ...LIVE, withdrawnAt: ago(20), state: 'stale' }],
  [
    'scheduled for tomorrow, and withdrawn',
    { ...SCHEDULED, scheduledAt: ago(-60 * 24) },
    { ...LIVE, withdrawnAt: ago(20) },
  ],
  [
    'a draft whose copy the platform cannot take back',
    { status: 'DRAFT' },
    { ...LIVE, state: 'failed', lastErrorCode: 'cannot_withdraw' },
  ],
  [
    'a copy that the platform cannot change',
    {},
    { ...LIVE, state: 'stale', handledDispatch: 2, lastErrorCode: 'cannot_update' },
  ],
  ['with a body of other blanks', { body: '\u00a0\ufeff\u2003' }, null],
  ['withdrawn at its author’s request', {}, { ...LIVE, withdrawRequested: true, withdrawnAt: ago(20), state: 'stale' }],
  ['switched off by cross_post', { crossPost: JSON.stringify({ blogsite_a: false }) }, null],
  ['local', { syndicate: false }, null],
  ['imported', { imported: true }, null],
  ['with an empty body', { body: ' \n\t\n' }, null],
  ['older than a week', { dispatchedAt: ago(60 * 24 * 8) }, { state: 'pending' }],
  ['deleted, with nothing out there', { status: 'DRAFT', deletedAt: ago(10), body: '' }, null],
];

test('what should be moving and is not, is woken, once', async () => {
  const added = await Promise.all(FORGOTTEN.map(([, article, delivery]) => add(article, delivery)));
  await look();
  for (const [index, { id }] of added.entries()) assert.ok(await isWoken(id), FORGOTTEN[index]?.[0]);
  assert.equal(await wakeStalled(ledger.db, { now, limit: 100_000 }), 0);
  await ledger.db.deleteFrom('articles').execute();
});

test('what is fine, or waits for somebody, is left alone', async () => {
  const added = await Promise.all(FINE.map(([, article, delivery]) => add(article, delivery)));
  await look();
  for (const [index, { id }] of added.entries()) assert.ok(!(await isWoken(id)), FINE[index]?.[0]);
  await ledger.db.deleteFrom('articles').execute();
});

test('nothing is woken for a connection that is refused or gone, nor for a suspended author', async () => {
  const refused = await ledger.addAuthor();
  await ledger.addConnection(refused, 'blogsite_a', { status: 'unauthorised' });
  const gone = await ledger.addAuthor();
  const suspended = await ledger.addAuthor();
  await ledger.addConnection(suspended);
  await ledger.db
    .updateTable('users')
    .set({ suspendedAt: ago(60) })
    .where('id', '=', suspended)
    .execute();
  const added = [];
  for (const one of [refused, gone, suspended]) added.push(await add({}, { state: 'pending' }, one));
  added.push(await add({ ...SCHEDULED, scheduledAt: ago(5) }, null, suspended));
  assert.equal(await look(), 0);
  await ledger.db.deleteFrom('articles').execute();
});

test('delivered while a newer revision came: the newer one counts as stalled', async () => {
  const { id, deliveryId } = await add({ revision: 2 }, { state: 'delivering', open: { startedAt: ago(10) } });
  const remote = { remoteId: 'r', url: 'https://there.example/r', changedAt: null };
  await recordDelivered(ledger.db, { deliveryId, attempt: 1, now: ago(9), outcomeKey: 'delivered-old', remote });
  await look();
  assert.ok(await isWoken(id));
  await ledger.db.deleteFrom('articles').execute();
});

test('among thousands of articles it reads the few that changed lately', async () => {
  // In portions: a statement ends after twelve seconds, and a busy machine takes that long for all of them.
  for (let from = 1; from < 20_000; from += 2_000) {
    await sql`
      with bulk as (insert into articles (author_id, slug, title, title_key, canonical_key, cross_post, status, source, body, derived,
        fingerprint, content_hash, dispatch, dispatched_at, published_at, scheduled_at)
      select ${author}, 'bulk-' || n, 't', 't' || n, 'self:bulk-' || n, '{"blogsite_a": true}', case when n % 100 = 0 then 'SCHEDULED' else 'PUBLISHED' end,
        '', 'words', '{}', '\\x00', '', 1, now() - interval '1 day' * (8 + n % 500), now(), now() + interval '1 day' * n
      from generate_series(${from}::int, ${from + 1_999}::int) n returning id, slug)
      insert into deliveries (article_id, destination, state, handled_dispatch, remote_id)
      select id, 'blogsite_a', 'delivered', 1, slug from bulk`.execute(ledger.db);
  }
  await sql`analyze articles, deliveries, connections, users`.execute(ledger.db);
  const { id } = await add({}, { state: 'pending' });
  const read = await ledger.db.transaction().execute(async (tx) => {
    // What earlier statements of this connection read may not be counted elsewhere yet: only the difference is the look's own.
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

test('among 12,000 schedules that are due, a stalled delivery is woken by the first portion, and the most urgent of both', async () => {
  await sql`truncate articles cascade`.execute(ledger.db);
  // In portions: a statement ends after twelve seconds, and a busy machine takes that long for all of them.
  for (let from = 1; from < 12_000; from += 2_000) {
    await sql`insert into articles (author_id, slug, title, title_key, canonical_key, cross_post, status, source, body, derived,
        fingerprint, content_hash, dispatch, dispatched_at, scheduled_at)
      select ${author}, 'due-' || n, 't', 't' || n, 'self:due-' || n, '{}', 'SCHEDULED', '', 'words', '{}', '\\x00', '', 1, now() - interval '2 hours',
        now() - interval '1 hour' + interval '1 millisecond' * n
      from generate_series(${from}::int, ${from + 1_999}::int) n`.execute(ledger.db);
  }
  const stalled = [];
  for (let n = 0; n < 5; n++) stalled.push((await add({}, { state: 'pending' })).id);
  await sql`truncate outbox`.execute(ledger.db);
  assert.equal(await wakeStalled(ledger.db, { now, limit: 1_000 }), 1_000);
  for (const id of stalled) assert.ok(await isWoken(id));
  const { rows } = await sql<{ slug: string }>`select slug from outbox o join articles a on a.id = o.article_id
    where a.status = 'SCHEDULED' order by a.scheduled_at desc limit 1`.execute(ledger.db);
  assert.equal(rows[0]?.slug, 'due-995');
});

test('one run of the search wakes all that is stalled, in portions', async () => {
  await sql`truncate outbox`.execute(ledger.db);
  const { wakeForgotten } = createStalledActivities({ db: ledger.db, now: () => now } as ActivityDeps);
  const first = await wakeForgotten();
  assert.ok(first > 4_000, `${first} in the first run`);
  let woken = first;
  // A run ends within seconds; on a slow machine another one finds the rest.
  for (let run = first; run > 0; woken += run) run = await wakeForgotten();
  assert.equal(woken, 12_005);
  await sql`truncate articles cascade`.execute(ledger.db);
});
