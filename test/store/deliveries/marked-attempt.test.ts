/** What the mark of an attempt writes, what it ends, and what cannot change while it is made. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Insertable, sql } from 'kysely';
import type { DB } from '../../../store/db/types.ts';
import { markAttempt, type PlannedAttempt } from '../../../store/deliveries/mark-attempt.ts';
import { loadDelivery } from '../../../store/deliveries/situation.ts';
import { eventually } from '../../support/eventually.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

type Attempt = Insertable<DB['deliveryAttempts']>;

async function plan(delivery: Partial<Insertable<DB['deliveries']>> = {}, open?: Partial<Attempt>) {
  const authorId = await ledger.addAuthor();
  const connectionId = await ledger.addConnection(authorId);
  const articleId = await ledger.addArticle(authorId, { dispatch: 4, revision: 3 });
  const deliveryId = await ledger.addDelivery(articleId, delivery, open);
  const load = () => loadDelivery(ledger.db, { articleId, destination: 'blogsite_a' }, 'https://here.example');
  const loaded = await load();
  const connection = loaded?.situation.connection;
  assert.ok(connection);
  return {
    authorId,
    articleId,
    deliveryId,
    connectionId,
    load,
    accountId: connection.accountId,
    lookUp: loaded.lookUp,
    hash: loaded.situation.article.hash,
    mark: (more: Partial<PlannedAttempt> = {}) =>
      markAttempt(ledger.db, { ...loaded, connection, action: 'create', payload: null, ...more }),
  };
}

const listAttempts = (deliveryId: string) =>
  ledger.db.selectFrom('deliveryAttempts').selectAll().where('deliveryId', '=', deliveryId).orderBy('number').execute();

const OPEN = { action: 'create', dispatch: 1, revision: 1, contentHash: 'sent', lookUp: '{}', number: 1 } as const;

test('the row says that it is being delivered, over which connection and to which account, and no more what the destination carries', async () => {
  const nextAttemptAt = new Date();
  const { deliveryId, connectionId, accountId, mark } = await plan({
    accountId: null,
    state: 'pending',
    deliveredHash: 'old',
    nextAttemptAt,
  });
  assert.equal(await mark(), 1);
  const row = await ledger.delivery(deliveryId);
  assert.deepEqual(
    [row.state, row.connectionId, row.accountId, row.deliveredHash, row.nextAttemptAt, row.attempts],
    ['delivering', connectionId, accountId, null, null, 1],
  );
});

test('the attempt says what is sent, for which publish, and how its post is found', async () => {
  const { deliveryId, accountId, lookUp, hash, mark } = await plan();
  await mark({ payload: { text: 'Kept.' } });
  const [attempt] = await listAttempts(deliveryId);
  assert.deepEqual(
    [attempt?.accountId, attempt?.action, attempt?.dispatch, attempt?.revision, attempt?.contentHash],
    [accountId, 'create', 4, 3, hash],
  );
  assert.deepEqual([attempt?.lookUp, attempt?.payload], [lookUp, { text: 'Kept.' }]);
  assert.deepEqual([attempt?.answer, attempt?.outcome, attempt?.endedAt], [null, null, null]);
});

test('an update whose end nobody knows is void from the next attempt on, and the post’s time is not known any more', async () => {
  const there = { remoteId: 'r', remoteChangedAt: 't', attempts: 1 } as const;
  const { deliveryId, mark } = await plan(there, { action: 'update' });
  assert.equal(await mark({ action: 'update' }), 2);
  const attempts = await listAttempts(deliveryId);
  assert.deepEqual(
    attempts.map(({ outcome }) => outcome),
    ['void', null],
  );
  assert.equal((await ledger.delivery(deliveryId)).remoteChangedAt, null);
});

test('what ended before keeps its outcome, and an attempt at another account stays open', async () => {
  const { authorId, deliveryId, accountId, load, mark } = await plan({ attempts: 2 });
  const elsewhere = await ledger.addAccount(authorId);
  const endedAt = new Date(0);
  await ledger.db
    .insertInto('deliveryAttempts')
    .values([
      { ...OPEN, deliveryId, accountId, endedAt, outcome: 'absent' },
      { ...OPEN, deliveryId, accountId: elsewhere, number: 2 },
    ])
    .execute();
  assert.equal((await load())?.situation.delivery.inFlight, null, 'it is no attempt at this account');
  assert.equal(await mark(), 3);
  const attempts = await listAttempts(deliveryId);
  assert.deepEqual(
    attempts.map(({ outcome }) => outcome),
    ['absent', null, null],
  );
});

test('a create whose outcome is open is never followed by another attempt at its account', async () => {
  const { deliveryId, accountId, mark } = await plan();
  await ledger.db
    .insertInto('deliveryAttempts')
    .values({ ...OPEN, deliveryId, accountId })
    .execute();
  assert.equal(await mark(), null);
  assert.equal((await ledger.openAttempt(deliveryId))?.number, 1);
});

test('what a suspended author has out there may still be taken back', async () => {
  const { authorId, mark } = await plan({ remoteId: 'r' });
  await sql`update users set suspended_at = now() where id = ${authorId}`.execute(ledger.db);
  assert.equal(await mark({ action: 'update' }), null);
  assert.equal(await mark({ action: 'withdraw' }), 1);
});

test('while an attempt is marked, neither its connection nor its delivery nor its article changes (F28)', async () => {
  const { db } = ledger;
  const { articleId, deliveryId, connectionId, mark } = await plan(
    { remoteId: 'r', attempts: 1 },
    { action: 'update' },
  );
  let marking: Promise<number | null> | undefined;
  await db.transaction().execute(async (tx) => {
    // The mark has checked all that it relies on when it comes to the attempt before it.
    await sql`select from delivery_attempts where delivery_id = ${deliveryId} for update`.execute(tx);
    marking = mark({ action: 'update' });
    await eventually('the mark to wait', async () => {
      const { rows } = await sql<{ waiting: boolean }>`select exists (select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock') as waiting`.execute(db);
      return rows[0]?.waiting;
    });
    for (const [table, id] of Object.entries({
      connections: connectionId,
      deliveries: deliveryId,
      articles: articleId,
    })) {
      const change = sql`select from ${sql.table(table)} where id = ${id} for no key update nowait`.execute(db);
      await assert.rejects(change, /could not obtain lock/, table);
    }
  });
  assert.equal(await marking, 2);
});
