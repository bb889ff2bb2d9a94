/** An import adopts a post as the copy of an article with a pending publish. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { adoptCopy } from '../../../store/imports/adopt-copy.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';
import { begin, type StartedDelivery } from '../deliveries/support/begun.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

async function importPost({ authorId, articleId, row }: StartedDelivery): Promise<boolean> {
  const { accountId } = await row();
  const { identity } = await ledger.db
    .selectFrom('accounts')
    .select('identity')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const post = { remoteId: 'original', url: 'https://there.example/original', changedAt: null };
  const copy = { authorId, articleId, destination: 'blogsite_a', identity, ...post } as const;
  return ledger.db.transaction().execute((tx) => adoptCopy(tx, copy));
}

test('a create planned before the adoption is not sent (F37)', async () => {
  const begun = await begin(ledger);
  const mark = await begun.prepare();
  assert.equal(await importPost(begun), true);
  assert.equal(await mark(), null);
});

test('a waiting publish is sent as an update', async () => {
  const begun = await begin(ledger, { dueAt: new Date(Date.now() + 60_000) });
  assert.equal(await importPost(begun), true);
  assert.equal(await begun.step(), 'update');
  assert.notEqual((await begun.row()).dueAt, null);
});

test('the post of another article is not adopted, and no delivery is created for it', async () => {
  const owner = await begin(ledger);
  assert.equal(await importPost(owner), true);
  const articleId = await ledger.addArticle(owner.authorId, { dispatch: 1 });
  await ledger.db.deleteFrom('deliveries').where('articleId', '=', articleId).execute();
  assert.equal(await importPost({ ...owner, articleId }), false);
  const deliveries = ledger.db.selectFrom('deliveries').select('id').where('articleId', '=', articleId);
  assert.deepEqual(await deliveries.execute(), []);
});
