/** What a destination answered is written down by the activity that asked it: once, for its own attempt, and whoever else writes meanwhile. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Insertable, sql } from 'kysely';
import type { DestinationAnswer } from '../../../delivery/types.ts';
import { provideAccount } from '../../../store/connections/accounts.ts';
import type { DB } from '../../../store/db/types.ts';
import { endAttempt, recordAnswer } from '../../../store/deliveries/end-attempt.ts';
import { recordDelivered, recordDeliveredAnswer } from '../../../store/deliveries/record-outcome.ts';
import { eventually } from '../../support/eventually.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const MADE = { kind: 'done', remote: { remoteId: 'r', url: 'https://there.example/r', changedAt: null } } as const;
const CUT = { kind: 'unknown', reason: 'The connection was cut.' } as const;
const LIMITED = { kind: 'rateLimited', retryAfterMs: 1_000, reason: 'Too many.' } as const;
const OPEN = { action: 'create', dispatch: 1, revision: 1, contentHash: 'sent', lookUp: '{}' } as const;

async function send(state: 'delivering' | 'unknown' = 'delivering') {
  const { db } = ledger;
  const authorId = await ledger.addAuthor();
  await ledger.addConnection(authorId);
  const deliveryId = await ledger.addDelivery(await ledger.addArticle(authorId), { state }, {});
  const list = () =>
    db.selectFrom('deliveryAttempts').selectAll().where('deliveryId', '=', deliveryId).orderBy('number').execute();
  return {
    authorId,
    deliveryId,
    list,
    answer: (answer: DestinationAnswer, number = 1) => recordAnswer(db, { deliveryId, number, answer }),
    async addAttempt(attempt: Omit<Insertable<DB['deliveryAttempts']>, 'deliveryId' | keyof typeof OPEN>) {
      await db
        .insertInto('deliveryAttempts')
        .values({ ...OPEN, deliveryId, ...attempt })
        .execute();
    },
    listAnswers: async () => (await list()).map(({ answer }) => answer?.kind ?? null),
    listOutcomes: async () => (await list()).map(({ outcome }) => outcome),
  };
}

test('the first answer counts', async () => {
  const { answer, listAnswers, list } = await send();
  await answer(MADE);
  const [first] = await list();
  await answer(CUT);
  assert.deepEqual(await listAnswers(), ['done']);
  assert.deepEqual((await list())[0]?.answeredAt, first?.answeredAt);
});

test('a success is recorded with its answer and its event, once, whoever records it again', async () => {
  const { db } = ledger;
  const { authorId, deliveryId, list } = await send();
  const outcome = { deliveryId, attempt: 1, outcomeKey: `delivery:${deliveryId}:1`, now: new Date() };
  const recorded = await recordDeliveredAnswer(db, { ...outcome, answer: MADE });
  assert.equal((await ledger.delivery(deliveryId)).state, 'delivered');
  const [attempt] = await list();
  assert.deepEqual([attempt?.answer, attempt?.outcome], [MADE, 'delivered']);
  assert.ok(attempt?.answeredAt && attempt.endedAt);
  assert.deepEqual(recorded, { upToDate: true });

  assert.equal(await recordDeliveredAnswer(db, { ...outcome, answer: MADE }), null);
  const fromWorkflow = { ...outcome, outcomeKey: 'another', remote: MADE.remote };
  assert.deepEqual(await recordDelivered(db, fromWorkflow), { upToDate: false }, 'it plans again, and rests');
  const events = await db.selectFrom('notifications').select('type').where('userId', '=', authorId).execute();
  assert.deepEqual(events, [{ type: 'CROSS_POST_SUCCESS' }]);
});

test('the success of an attempt that is not open at the connected account is left to its answer', async () => {
  const { db } = ledger;
  for (const change of ['ended', 'moved'] as const) {
    const { authorId, deliveryId, listAnswers, listOutcomes } = await send();
    if (change === 'ended') {
      await endAttempt(db, { deliveryId, attempt: 1 }, { outcome: 'void', now: new Date() });
    } else {
      const where = { destination: 'blogsite_a', platform: 'forem', baseUrl: 'https://else.example' } as const;
      const accountId = await provideAccount(db, { userId: authorId, ...where, account: null });
      await db.updateTable('deliveries').set({ accountId }).where('id', '=', deliveryId).execute();
    }
    const outcome = { deliveryId, attempt: 1, outcomeKey: `delivery:${deliveryId}:1`, now: new Date() };
    assert.equal(await recordDeliveredAnswer(db, { ...outcome, answer: MADE }), null, change);
    assert.deepEqual(await listAnswers(), [null]);
    assert.deepEqual(await listOutcomes(), [change === 'ended' ? 'void' : null]);
    assert.equal((await ledger.delivery(deliveryId)).state, 'delivering');
  }
});

test('it is written for its own attempt and delivery', async () => {
  const sent = await send();
  const other = await send();
  const accountId = (await sent.list())[0]?.accountId ?? '';
  await sent.addAttempt({ accountId, number: 2, outcome: 'absent', endedAt: new Date() });
  await sent.answer(MADE, 2);
  assert.deepEqual(await sent.listAnswers(), [null, 'done']);
  assert.deepEqual(await other.listAnswers(), [null]);
  await sent.answer(MADE, 1);
  assert.deepEqual(await other.listAnswers(), [null]);
});

test('its author sees that nobody knows what became of it, while it is found out', async () => {
  const { deliveryId, answer } = await send();
  await answer(CUT);
  const { state, lastErrorCode, lastError } = await ledger.delivery(deliveryId);
  assert.deepEqual([state, lastErrorCode, lastError], ['delivering', 'outcome_unknown', CUT.reason]);
});

test('what is known is said by the record of its end, not before', async () => {
  const { deliveryId, answer } = await send();
  await answer(LIMITED);
  assert.equal((await ledger.delivery(deliveryId)).lastErrorCode, null);
});

test('what its author was told is not taken back by a late answer that says nothing', async () => {
  const asked = await send('unknown');
  await asked.answer(CUT);
  assert.equal((await ledger.delivery(asked.deliveryId)).lastErrorCode, null);
  const ended = await send();
  await endAttempt(ledger.db, { deliveryId: ended.deliveryId, attempt: 1 }, { outcome: 'absent', now: new Date() });
  await ended.answer(CUT);
  assert.equal((await ledger.delivery(ended.deliveryId)).lastErrorCode, null, 'another attempt may be under way');
});

test('an answer that comes in the middle of a change of account is acted on: the post is kept with its account', async () => {
  const { db } = ledger;
  const { authorId, deliveryId, answer } = await send();
  const accountId = await ledger.addAccount(authorId);
  let answering: Promise<void> | undefined;
  await db.transaction().execute(async (tx) => {
    await sql`update deliveries set account_id = ${accountId} where id = ${deliveryId}`.execute(tx);
    answering = answer(MADE);
    const isWaiting = async () => {
      const { rows } = await sql<{ waiting: boolean }>`select exists (select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock') as waiting`.execute(db);
      return rows[0]?.waiting;
    };
    await eventually('the answer to wait, or to be written', async () => {
      const { rows } =
        await sql`select from delivery_attempts where delivery_id = ${deliveryId} and answer is not null`.execute(db);
      return rows.length > 0 || isWaiting();
    });
  });
  await answering;
  const kept = await db.selectFrom('formerPosts').select('remoteId').where('deliveryId', '=', deliveryId).execute();
  assert.deepEqual(kept, [{ remoteId: 'r' }]);
});

test('an end is written once, for its own attempt', async () => {
  const { authorId, deliveryId, addAttempt, listOutcomes } = await send();
  await addAttempt({ accountId: await ledger.addAccount(authorId), number: 2 });
  const end = (outcome: 'absent' | 'delivered') =>
    endAttempt(ledger.db, { deliveryId, attempt: 1 }, { outcome, now: new Date() });
  await end('delivered');
  await end('absent');
  assert.deepEqual(await listOutcomes(), ['delivered', null]);
});
