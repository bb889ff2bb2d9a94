/** A create that nobody answered is sent once more at a platform that recognises it: the very same request, once, and in time. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { Insertable } from 'kysely';
import type { AttemptStep, Situation } from '../../../delivery/types.ts';
import type { DB } from '../../../store/db/types.ts';
import { markRepeat } from '../../../store/deliveries/mark-attempt.ts';
import { loadDelivery } from '../../../store/deliveries/situation.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';

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
  // As planned of the attempt while it was open.
  const step = { ...buildStep(situation), attemptId: row?.id ?? null };
  return {
    deliveryId,
    load,
    open: async () => (await ledger.attempts(deliveryId)).find(({ endedAt }) => endedAt === null),
    repeat: (attemptId = step.attemptId) => markRepeat(ledger.db, { ...step, attemptId }, 10 * MINUTE_MS),
  };
}

test('it is sent as it was the first time, and once only', async () => {
  const { repeat } = await cutCreate();
  assert.deepEqual(await repeat(), { payload: { text: 'Once.' } });
  assert.equal(await repeat(), null);
});

test('its outcome is waited for from the repeat on', async () => {
  const { repeat, load } = await cutCreate();
  assert.ok(((await load())?.situation.delivery.inFlight?.forMs ?? 0) >= MINUTE_MS);
  await repeat();
  assert.ok(((await load())?.situation.delivery.inFlight?.forMs ?? MINUTE_MS) < MINUTE_MS);
});

test('what answered the first request in the destination’s place says nothing of the repeat', async () => {
  const answer = JSON.stringify({ kind: 'unknown', reason: 'A proxy answered.' });
  const { open: read, repeat } = await cutCreate({ answer, answeredAt: ago(MINUTE_MS) });
  await repeat();
  const open = await read();
  assert.deepEqual([open?.answer, open?.answeredAt], [null, null]);
  assert.ok(open?.repeatedAt && open.repeatedAt > ago(MINUTE_MS));
});

const NOT_REPEATED: Record<string, Partial<Insertable<DB['deliveryAttempts']>>> = {
  'an attempt whose outcome is known': { outcome: 'absent', endedAt: ago(1_000) },
  'an attempt that changes or takes back a post': { action: 'withdraw' },
  'an attempt of which nothing was kept': { payload: null },
  'an attempt that is too long ago for the platform to recognise it': { startedAt: ago(11 * MINUTE_MS) },
};
for (const [what, attempt] of Object.entries(NOT_REPEATED)) {
  test(`${what} is not repeated`, async () => {
    const { repeat } = await cutCreate(attempt);
    assert.equal(await repeat(), null);
  });
}

test('only the attempt that was planned is repeated, and only where nothing came between', async () => {
  const { deliveryId, open, repeat } = await cutCreate();
  assert.equal(await repeat(randomUUID()), null);
  await ledger.db.updateTable('deliveries').set({ version: 7 }).where('id', '=', deliveryId).execute();
  assert.equal(await repeat(), null);
  assert.equal((await open())?.repeatedAt, null);
});
