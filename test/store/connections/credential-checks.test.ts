/** One of several deliveries probes a credential; the others read its result. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { claimCheck, releaseCheck, saveCheck } from '../../../store/connections/credential-checks.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

async function addKey() {
  const connectionId = await ledger.addConnection(await ledger.addAuthor());
  return { connectionId, version: 1 };
}

const ageCheck = (connectionId: string, column: 'leased_until' | 'checked_at') =>
  sql`update credential_checks set ${sql.ref(column)} = ${sql.ref(column)} - interval '10 minutes'
    where connection_id = ${connectionId}`.execute(ledger.db);

test('one of several deliveries claims a check; the next can claim it after its release or the end of its lease', async () => {
  const key = await addKey();
  const claim = async () => (await claimCheck(ledger.db, key)).kind;
  assert.deepEqual([await claim(), await claim()], ['claimed', 'busy']);
  await releaseCheck(ledger.db, key);
  assert.deepEqual([await claim(), await claim()], ['claimed', 'busy']);
  await ageCheck(key.connectionId, 'leased_until');
  assert.deepEqual([await claim(), await claim()], ['claimed', 'busy']);
});

test('the result of a check is valid for five minutes and for one version of the credential', async () => {
  const key = await addKey();
  const finding = { code: 'unauthorised', reason: 'No.' } as const;
  await claimCheck(ledger.db, key);
  assert.equal(await saveCheck(ledger.db, key, finding), true);
  assert.deepEqual(await claimCheck(ledger.db, key), { kind: 'known', finding });
  assert.deepEqual(await claimCheck(ledger.db, { ...key, version: 2 }), { kind: 'gone' });
  await ageCheck(key.connectionId, 'checked_at');
  assert.deepEqual(await claimCheck(ledger.db, key), { kind: 'claimed' });
  await ledger.db.updateTable('connections').set({ version: 2 }).where('id', '=', key.connectionId).execute();
  assert.equal(await saveCheck(ledger.db, key, finding), false);
});
