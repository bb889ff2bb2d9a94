/** Tests the owner of a post at an account to which two authors are, or claim to be, connected. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findOrCreateAccount } from '../../../store/connections/accounts.ts';
import { isFormerPost, listOtherPosts } from '../../../store/copies/post-owner.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

/** Adds a delivery at an account of the server at `origin`. */
async function deliver(origin: string, identity: string, remoteId: string | null) {
  const userId = await ledger.addAuthor();
  const place = { destination: 'blogsite_a', platform: 'forem', baseUrl: `${origin}/api` } as const;
  const account = { identity, name: identity };
  const accountId = await findOrCreateAccount(ledger.db, { userId, ...place, account });
  const articleId = await ledger.addArticle(userId);
  await ledger.addDelivery(articleId, { accountId, ...(remoteId !== null && { copy: { remoteId } }) });
  const others = () => listOtherPosts(ledger.db, { accountId, articleId });
  const isTaken = async (id: string) => (await others()).has(id);
  return { others, isTaken };
}

test('a post at an account of two authors belongs to one article', async () => {
  const first = await deliver('https://shared.example', '7', 'post-1');
  const second = await deliver('https://shared.example', '7', null);
  assert.deepEqual(await second.others(), new Set(['post-1']));
  assert.equal(await second.isTaken('post-1'), true);
  assert.equal(await second.isTaken('post-2'), false);
  assert.equal(await first.isTaken('post-1'), false, 'it is its own');
});

test('an identity from one server does not apply to accounts of another server', async () => {
  await deliver('https://one.example', '7', 'post-1');
  const { others, isTaken } = await deliver('https://two.example', '7', null);
  assert.deepEqual(await others(), new Set());
  assert.equal(await isTaken('post-1'), false);
});

test('a former post of an article is one that was deleted, not one that is live or at another account', async () => {
  const userId = await ledger.addAuthor();
  await ledger.addConnection(userId);
  const accounts = ledger.db.selectFrom('accounts').select('id').where('userId', '=', userId);
  const { id: own } = await accounts.executeTakeFirstOrThrow();
  const articleId = await ledger.addArticle(userId);
  const isFormer = async (presence: 'deleted' | 'live', accountId: string, remoteId: string) => {
    const copy = { articleId, accountId, remoteId, presence, isCurrent: false };
    await ledger.db.insertInto('copies').values(copy).execute();
    return isFormerPost(ledger.db, { remoteId, accountId: own, articleId });
  };
  assert.equal(await isFormer('deleted', own, 'deleted'), true);
  assert.equal(await isFormer('live', own, 'live'), false);
  assert.equal(await isFormer('deleted', await ledger.addAccount(userId), 'elsewhere'), false);
});
