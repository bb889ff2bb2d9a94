/** A pause belongs to the account: not to the key it is used with, and not to another account under the same destination. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { connectDestination } from '../../../store/connections/connect.ts';
import { blockConnection, reserveSlot } from '../../../store/connections/rate-slots.ts';
import { createSealer } from '../../../store/secrets/sealing.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';

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
