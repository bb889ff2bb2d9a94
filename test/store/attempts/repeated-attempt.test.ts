/**
 * Tests the mark of an identical repeat of an unanswered create: once, and within the platform's
 * limit.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { Insertable } from 'kysely';
import type { AttemptStep, Situation } from '../../../delivery/types.ts';
import { markRepeat } from '../../../store/attempts/mark-attempt.ts';
import type { DB } from '../../../store/db/types.ts';
import { loadDelivery } from '../../../store/deliveries/situation.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const MINUTE_MS = 60_000;

function buildStep({ article, connection, delivery }: Situation): AttemptStep {
  const versions = { version: delivery.version, connectionVersion: connection?.version ?? 0 };
  const target = { deliveryId: delivery.id, ...versions, connectionId: connection?.id ?? null, attemptId: null };
  const rules = { readLagMs: 0, canFind: false } as const;
  return { ...target, ...rules, dispatch: article.dispatch, kind: 'reconcile', settleInMs: 0, repeatInMs: 0 };
}

const ago = (ms: number) => new Date(Date.now() - ms);

async function cutCreate(attempt: Partial<Insertable<DB['deliveryAttempts']>> = {}) {
  const author = await ledger.addAuthor();
  await ledger.addConnection(author);
  const article = await ledger.addArticle(author);
  const payload = JSON.stringify({ text: 'Once.' });
  const sent = { payload, startedAt: ago(MINUTE_MS), ...attempt };
  const deliveryId = await ledger.addDelivery(article, { attempts: [sent], dueAt: new Date() });
  const load = () => loadDelivery(ledger.db, { articleId: article, destination: 'blogsite_a' }, 'https://here.example');
  const [row] = await ledger.attempts(deliveryId);
  const { situation } = (await load()) ?? assert.fail();
  // The plan from the time when the attempt was open.
  const step = { ...buildStep(situation), attemptId: row?.id ?? null };
  return {
    deliveryId,
    load,
    open: async () => (await ledger.attempts(deliveryId)).find(({ endedAt }) => endedAt === null),
    repeat: (attemptId = step.attemptId) => markRepeat(ledger.db, { ...step, attemptId }, 10 * MINUTE_MS),
  };
}

test('a repeat returns the first payload, and only once', async () => {
  const { repeat } = await cutCreate();
  assert.deepEqual(await repeat(), { payload: { text: 'Once.' } });
  assert.equal(await repeat(), null);
});

test('a repeat restarts the settle time', async () => {
  const { repeat, load } = await cutCreate();
  assert.ok(((await load())?.situation.delivery.inFlight?.sentMsAgo ?? 0) >= MINUTE_MS);
  await repeat();
  assert.ok(((await load())?.situation.delivery.inFlight?.sentMsAgo ?? MINUTE_MS) < MINUTE_MS);
});

test('a repeat clears the unknown answer to the first request', async () => {
  const answer = JSON.stringify({ kind: 'unknown', reason: 'A proxy answered.' });
  const { open: read, repeat } = await cutCreate({ answer, answeredAt: ago(MINUTE_MS) });
  await repeat();
  const open = await read();
  assert.deepEqual([open?.answer, open?.answeredAt], [null, null]);
  assert.ok(open?.repeatedAt && open.repeatedAt > ago(MINUTE_MS));
});

const NOT_REPEATED: Record<string, Partial<Insertable<DB['deliveryAttempts']>>> = {
  'an ended attempt': { outcome: 'absent', endedAt: ago(1_000) },
  'a withdrawal': { action: 'withdraw' },
  'an attempt without a stored payload': { payload: null },
  'an attempt that the platform no longer recognises': { startedAt: ago(11 * MINUTE_MS) },
};
for (const [what, attempt] of Object.entries(NOT_REPEATED)) {
  test(`${what} is not repeated`, async () => {
    const { repeat } = await cutCreate(attempt);
    assert.equal(await repeat(), null);
  });
}

test('only the planned attempt is repeated, and only if the plan is current', async () => {
  const { deliveryId, open, repeat } = await cutCreate();
  assert.equal(await repeat(randomUUID()), null);
  await ledger.db.updateTable('deliveries').set({ version: 7 }).where('id', '=', deliveryId).execute();
  assert.equal(await repeat(), null);
  assert.equal((await open())?.repeatedAt, null);
});
