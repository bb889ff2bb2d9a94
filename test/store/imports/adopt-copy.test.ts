import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { adoptCopy } from '../../../store/imports/adopt-copy.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';
import { begin } from '../deliveries/support/begun.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

test('a create that was planned before an import adopted the post is not sent (F37)', async () => {
  const { db } = ledger;
  const { authorId, articleId, prepare } = await begin(ledger);
  const { identity } = await db
    .selectFrom('accounts')
    .select('identity')
    .where('userId', '=', authorId)
    .executeTakeFirstOrThrow();
  const mark = await prepare();
  const post = { remoteId: 'original', url: 'https://there.example/original', changedAt: null };
  const isAdopted = await db
    .transaction()
    .execute((tx) => adoptCopy(tx, { authorId, articleId, destination: 'blogsite_a', identity, ...post }));
  assert.equal(isAdopted, true);
  assert.equal(await mark(), null);
});
