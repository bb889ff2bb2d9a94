import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { MockActivityEnvironment } from '@temporalio/testing';
import { UNREADABLE_CREDENTIAL_MESSAGE, withClient } from '../../../activities/delivery/client.ts';
import type { DeliveryPlan } from '../../../activities/delivery/plan.ts';
import type { ActivityDeps } from '../../../activities/deps.ts';
import { createSealer } from '../../../store/secrets/sealing.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

/** With another key than the one that the credential is sealed with. */
function open(connectionId: string): Promise<unknown> {
  const deps = { db: ledger.db, sealer: createSealer(randomBytes(32)) };
  const plan = { adapter: {}, situation: { connection: { id: connectionId, version: 1 } } };
  const call = async () => assert.fail('the client was opened');
  const run = () => withClient(deps as unknown as ActivityDeps, plan as unknown as DeliveryPlan, call);
  return new MockActivityEnvironment().run(run);
}

test('a credential that cannot be decrypted fails the delivery', async () => {
  const rejected = { kind: 'rejected', code: 'credential_unreadable', reason: UNREADABLE_CREDENTIAL_MESSAGE };
  assert.deepEqual(await open(await ledger.addConnection(await ledger.addAuthor())), rejected);
});

test('an error of the database while a credential is read does not fail the delivery: the activity is retried', async () => {
  await assert.rejects(open('not a uuid'), { code: '22P02' });
});
