/** A create that nobody answered is sent once more at a platform that recognises it: the very same request, once, and in time. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Insertable } from 'kysely';
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
const ago = (ms: number) => new Date(Date.now() - ms);

async function cutCreate(attempt: Partial<Insertable<DB['deliveryAttempts']>> = {}) {
  const author = await ledger.addAuthor();
  await ledger.addConnection(author);
  const article = await ledger.addArticle(author);
  const payload = JSON.stringify({ text: 'Once.' });
  const deliveryId = await ledger.addDelivery(
    article,
    { attempts: 2 },
    { payload, startedAt: ago(MINUTE_MS), ...attempt },
  );
  return {
    deliveryId,
    load: () => loadDelivery(ledger.db, { articleId: article, destination: 'blogsite_a' }, 'https://here.example'),
    repeat: (number = 2) => markRepeat(ledger.db, deliveryId, { number, withinMs: 10 * MINUTE_MS }),
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
  const { deliveryId, repeat } = await cutCreate({ answer, answeredAt: ago(MINUTE_MS) });
  await repeat();
  const open = await ledger.openAttempt(deliveryId);
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

test('only the attempt that was planned is repeated', async () => {
  const { deliveryId, repeat } = await cutCreate();
  assert.equal(await repeat(1), null);
  assert.equal((await ledger.openAttempt(deliveryId))?.repeatedAt, null);
});
