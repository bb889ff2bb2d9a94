/** A delivery that is given up while it waits for its slot leaves the line: nobody waits behind one that never calls. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client, type Connection } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createDeliveryActivities } from '../../activities/delivery/index.ts';
import type { ActivityDeps } from '../../activities/deps.ts';
import { findDestination } from '../../destinations/registry.ts';
import { blockConnection, FRONT, reserveSlot } from '../../store/connections/rate-slots.ts';
import { connectToTemporal } from '../support/connect-temporal.ts';
import { openTestLedger, type TestLedger } from '../support/ledger.ts';

let ledger: TestLedger;
let connection: Connection;
before(async () => {
  ledger = await openTestLedger();
  connection = await connectToTemporal();
});
after(async () => {
  await connection.close();
  await ledger.close();
});

test('after a day of 429s those that were given up do not keep the next from its slot (F11)', async () => {
  const { db } = ledger;
  const author = await ledger.addAuthor();
  const connectionId = await ledger.addConnection(author);
  const add = async () => ledger.addDelivery(await ledger.addArticle(author), { connectionId, attempts: 30 });
  const pacing = { intervalMs: 3_400, burst: 1 };
  const reserve = (deliveryId: string) =>
    reserveSlot(db, { deliveryId, connectionId, pacing, isPaced: true, isWrite: true, callMs: 120_000 });
  await blockConnection(db, connectionId, 60_000);
  const actors = { client: new Client({ connection }), taskQueue: 'nobody' };
  const deps = { db, actors, findDestination, now: () => new Date() } as unknown as ActivityDeps;
  const { recordFailed } = createDeliveryActivities(deps);
  for (let count = 0; count < FRONT; count++) {
    const deliveryId = await add();
    await reserve(deliveryId);
    const end = { state: 'failed', code: 'gave_up', reason: 'A day of 429s.', outcomeKey: deliveryId } as const;
    const input = { deliveryId, attempt: 30, dispatch: 1, ...end };
    assert.equal(await new MockActivityEnvironment().run(recordFailed, input), true);
  }
  const { slotInMs, wakeInMs } = await reserve(await add());
  assert.equal(wakeInMs, slotInMs, 'nobody is there to tell it');
});
