import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MockActivityEnvironment } from '@temporalio/testing';
import { UNREADABLE, withClient } from '../../../activities/delivery/client.ts';
import type { DeliveryPlan } from '../../../activities/delivery/plan.ts';
import type { ActivityDeps } from '../../../activities/deps.ts';
import { SealError } from '../../../store/secrets/sealing.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

async function open(error: Error): Promise<unknown> {
  const id = await ledger.addConnection(await ledger.addAuthor());
  const deps = {
    db: ledger.db,
    sealer: {
      open: () => {
        throw error;
      },
    },
  };
  const plan = { adapter: {}, situation: { connection: { id, version: 1 } } };
  const call = async () => assert.fail('the client was opened');
  const run = () => withClient(deps as unknown as ActivityDeps, plan as unknown as DeliveryPlan, call);
  return new MockActivityEnvironment().run(run);
}

test('a credential that cannot be decrypted fails the delivery', async () => {
  const rejected = { kind: 'rejected', code: 'credential_unreadable', reason: UNREADABLE };
  assert.deepEqual(await open(new SealError('sealed with another key')), rejected);
});

test('any other error while a credential is read does not fail the delivery: the activity is retried', async () => {
  await assert.rejects(open(new TypeError('Broken.')), TypeError);
});
