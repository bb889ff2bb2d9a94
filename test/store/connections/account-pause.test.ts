/** A pause belongs to the account: not to the key it is used with, and not to another account under the same destination. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { leaveLine, waitInLine, withPlace } from '../../../activities/delivery/slots.ts';
import type { ActivityDeps } from '../../../activities/deps.ts';
import { forem } from '../../../destinations/forem/index.ts';
import { connectDestination } from '../../../store/connections/connect.ts';
import { blockConnection, reserveSlot } from '../../../store/connections/rate-slots.ts';
import { createSealer } from '../../../store/secrets/sealing.ts';
import { early, TARGET } from '../../delivery/support/attempts.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';
import { assertNear, openLine } from './line.ts';

let ledger: TestLedger;
const sealer = createSealer(randomBytes(32));
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

/** An author whose account A is blocked for ten minutes, with a delivery that waits. */
async function blockAccountA() {
  const { db } = ledger;
  const userId = await ledger.addAuthor();
  const connect = (identity: string, apiKey: string) =>
    connectDestination(db, sealer, {
      userId,
      destination: 'blogsite_a',
      platform: 'forem',
      baseUrl: 'https://forem.example/api',
      credentials: { apiKey },
      account: { identity, name: identity },
      now: new Date(),
    });
  const { id: connectionId } = await connect('A', 'one');
  const deliveryId = await ledger.addDelivery(await ledger.addArticle(userId), { connectionId });
  const reserve = async () => {
    const pacing = { intervalMs: 1_000, burst: 1 };
    const request = { deliveryId, connectionId, pacing, isPaced: true, isWrite: true, callMs: 60_000 };
    return (await reserveSlot(db, request)).slotInMs;
  };
  await blockConnection(db, connectionId, 600_000);
  assert.ok((await reserve()) > 590_000);
  return { connect, reserve };
}

test('an account that is connected with a new key keeps its pause', async () => {
  const { connect, reserve } = await blockAccountA();
  await connect('A', 'two');
  assert.ok((await reserve()) > 590_000);
});

test('another account does not inherit the pause of the one before it, nor its line', async () => {
  const { connect, reserve } = await blockAccountA();
  await connect('B', 'two');
  assert.equal(await reserve(), 0);
});

test('a call that is answered 429 has blocked its account when it ends, and its delivery stays the first in line (F11)', async () => {
  const { deliveries, ask, reserve } = await openLine(ledger, 2, SLOW);
  const [first = '', second = ''] = deliveries;
  await ask(first);
  const answer = { kind: 'rateLimited', retryAfterMs: 300_000, reason: '429' } as const;
  const outcome = await withPlace(deps(), { deliveryId: first, adapter }, async () => answer);
  assert.ok('isBlocked' in outcome && outcome.isBlocked, JSON.stringify(outcome));
  assertNear(await reserve(second), 360_000);
  assertNear(await reserve(first), 300_000);
});

test('a destination that refuses again and again, and names no time, is asked less and less often', async () => {
  const { connectionId, deliveries, ask, answer429 } = await openLine(ledger, 1, SLOW);
  const [first = ''] = deliveries;
  const waits: (number | null)[] = [];
  for (let n = 0; n < 4; n++) {
    // The block before is over.
    const past = new Date(Date.now() - 1_000);
    const over = ledger.db.updateTable('connections').set({ blockedUntil: past, arrivalAt: past });
    await over.where('id', '=', connectionId).execute();
    await ask(first);
    waits.push(await answer429(first, 0));
  }
  assertNear(waits[0] ?? null, 0);
  assertNear(waits[3] ?? null, 18_000);
});

test('behind a block nothing goes out in a burst: the budget is used up', async () => {
  const { connectionId, deliveries, reserve } = await openLine(ledger, 2, { intervalMs: 60_000, burst: 5 });
  const [first = '', second = ''] = deliveries;
  await blockConnection(ledger.db, connectionId, 600_000);
  assertNear(await reserve(first), 600_000);
  assertNear(await reserve(second), 660_000);
});

test('a look-up waits for no write: the limits are on writes', async () => {
  const { connectionId, deliveries, ask } = await openLine(ledger, 2, SLOW);
  const [first = '', deliveryId = ''] = deliveries;
  await ask(first);
  const target = { ...TARGET, deliveryId, connectionId };
  assert.equal(await waitInLine(deps(), { ...early, ...target }, adapter), 0);
  await leaveLine(deps(), deliveryId);
  assertNear(await waitInLine(deps(), { kind: 'create', ...target }, adapter), 60_000);
});

const SLOW = { intervalMs: 60_000, burst: 1 };
const adapter = { ...forem, limits: { ...forem.limits, pacing: SLOW } };

/** What the activities of a delivery need for its place in the line. */
function deps(): ActivityDeps {
  return { db: ledger.db, pacing: true, findDestination: () => adapter } as unknown as ActivityDeps;
}
