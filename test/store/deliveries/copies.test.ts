import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listCopies } from '../../../store/deliveries/copies.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

test('copies that are live, or that their author withdrew, are listed with their connection', async () => {
  const authorId = await ledger.addAuthor();
  await ledger.addConnection(authorId, 'blogsite_a', { status: 'unauthorised' });
  const articleId = await ledger.addArticle(authorId, { revision: 2 });
  const live = { remoteId: 'r', remoteUrl: 'https://there.example/r' };
  const add = (destination: 'blogsite_a' | 'blogsite_b' | 'blogsite_c' | 'cms_site', more: object) =>
    ledger.addDelivery(articleId, { destination, ...more });
  await add('blogsite_a', { ...live, deliveredRevision: 2 });
  await add('blogsite_b', { ...live, remoteUrl: null, deliveredRevision: 1 });
  await add('blogsite_c', { ...live, withdrawnAt: new Date(), withdrawRequested: true });
  await add('cms_site', { ...live, withdrawnAt: new Date() });
  const none = { connection: null, account: null, isFormer: false, isLive: true, isOutdated: true, isWithdrawn: false };
  assert.deepEqual(await listCopies(ledger.db, { authorId, articleId }), [
    {
      ...none,
      destination: 'blogsite_a',
      url: live.remoteUrl,
      connection: { platform: 'forem', status: 'unauthorised' },
      isOutdated: false,
    },
    { ...none, destination: 'blogsite_b', url: null },
    { ...none, destination: 'blogsite_c', url: live.remoteUrl, isLive: false, isWithdrawn: true },
  ]);
});

test('an author does not see the copies of another author’s article (A18)', async () => {
  const articleId = await ledger.addArticle(await ledger.addAuthor());
  await ledger.addDelivery(articleId, { remoteId: 'r' });
  assert.deepEqual(await listCopies(ledger.db, { authorId: await ledger.addAuthor(), articleId }), []);
});
