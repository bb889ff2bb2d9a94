/** Tests a change of the due step between a plan and its send. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createDeliveryActivities } from '../../../activities/delivery/index.ts';
import type { ActivityDeps } from '../../../activities/deps.ts';
import { findDestination } from '../../../destinations/clients.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

test('a step that differs from the plan is planned again instead of sent', async () => {
  const author = await ledger.addAuthor();
  await ledger.addConnection(author);
  const articleId = await ledger.addArticle(author);
  const deliveryId = await ledger.addDelivery(articleId, { dueAt: new Date() });
  const deps = { db: ledger.db, baseUrl: 'https://courant.example', findDestination };
  const { sendDelivery } = createDeliveryActivities(deps as unknown as ActivityDeps);
  for (const expected of ['update', 'withdraw', 'repeat']) {
    const input = { articleId, destination: 'blogsite_a', expected } as const;
    assert.deepEqual(await new MockActivityEnvironment().run(sendDelivery, input), { kind: 'changed' }, expected);
  }
  assert.deepEqual(await ledger.attempts(deliveryId), []);
});
