/** A 429 whose activity was lost before its workflow heard of it: the answer stands in the attempt's row. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client, Connection } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createDeliveryActivities } from '../../../activities/delivery/index.ts';
import { TIMEOUTS } from '../../../delivery/timeouts.ts';
import type { PlannedStepOnWire } from '../../../delivery/wire.ts';
import { findDestination } from '../../../destinations/registry.ts';
import { reserveSlot } from '../../../store/connections/rate-slots.ts';
import { loadSealer } from '../../../store/secrets/sealing.ts';
import { NO_MAIL } from '../../support/digest.ts';
import { readTemporalAddress } from '../../support/environment.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';
import { NO_IMPORTS } from '../../support/no-imports.ts';

let ledger: TestLedger;
const connection = Connection.lazy({ address: readTemporalAddress() });
before(async () => {
  ledger = await openTestLedger();
});
after(async () => {
  await connection.close();
  await ledger.close();
});

test('the delivery that met a 429 when Temporal died waits what is left of it, before those that come later (F7)', async () => {
  const { db } = ledger;
  const author = await ledger.addAuthor();
  const connectionId = await ledger.addConnection(author);
  const articleId = await ledger.addArticle(author);
  const later = await ledger.addDelivery(await ledger.addArticle(author));
  const answer = JSON.stringify({ kind: 'rateLimited', reason: 'Too many requests.', retryAfterMs: 60_000 });
  const answeredAt = new Date(Date.now() - 20_000);
  const deliveryId = await ledger.addDelivery(articleId, { state: 'delivering' }, { answer, answeredAt });
  const pacing = { intervalMs: 10_000, burst: 1 };
  const slot = { connectionId, pacing, isWrite: true, isPaced: true, callMs: 60_000 };
  await reserveSlot(db, { deliveryId, ...slot });

  const { planStep } = createDeliveryActivities({
    db,
    sealer: await loadSealer({ home: '', key: Buffer.alloc(32).toString('base64') }),
    actors: { client: new Client({ connection }), taskQueue: 'nobody' },
    baseUrl: 'https://courant.example',
    findDestination,
    formats: { format: async () => 'busy', close: async () => undefined },
    allowPrivate: false,
    pacing: true,
    httpTimeoutMs: TIMEOUTS.httpMs,
    lateArrivalMs: TIMEOUTS.lateArrivalMs,
    ...NO_IMPORTS,
    ...NO_MAIL,
    now: () => new Date(),
  });
  const input = { articleId, destination: 'blogsite_a', hasTurn: false } as const;
  const plan = async () => (await new MockActivityEnvironment().run(planStep, input)) as PlannedStepOnWire;
  for (const planned of [await plan(), await plan()]) {
    assert.ok(planned.kind === 'resolve' && planned.answer.kind === 'rateLimited', JSON.stringify(planned));
    assert.equal(planned.answer.isBlocked, true);
    const { retryAfterMs } = planned.answer;
    assert.ok(retryAfterMs !== null && retryAfterMs > 0 && retryAfterMs <= 40_000, `${retryAfterMs} ms`);
    const { slotInMs } = await reserveSlot(db, { deliveryId: later, ...slot });
    assert.ok(slotInMs > retryAfterMs, `${slotInMs} ms after ${retryAfterMs} ms`);
  }
});
