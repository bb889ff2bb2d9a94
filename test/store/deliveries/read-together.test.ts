/** Tests that content and delivery are read for the same revision during a concurrent publish. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { loadDelivery } from '../../../store/deliveries/situation.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';
import { waitForLock } from '../../support/database/locks.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

for (const has of ['a row', 'no row yet']) {
  test(`an article with ${has}, published between the reads of its text and its delivery, loads the newer revision`, async () => {
    const authorId = await ledger.addAuthor();
    await ledger.addConnection(authorId);
    const articleId = await ledger.addArticle(authorId, { body: 'Older words.' });
    if (has === 'a row') await ledger.addDelivery(articleId);
    let loading: ReturnType<typeof loadDelivery> | undefined;
    await ledger.db.transaction().execute(async (tx) => {
      // The text can be read, but the delivery only after the end of this transaction.
      await sql`lock table deliveries in access exclusive mode`.execute(tx);
      loading = loadDelivery(ledger.db, { articleId, destination: 'blogsite_a' }, 'https://here.example');
      await waitForLock(ledger.db);
      await tx
        .updateTable('articles')
        .set({ body: 'Newer words.', revision: 2, dispatch: 2 })
        .where('id', '=', articleId)
        .execute();
    });
    const loaded = await loading;
    assert.equal(loaded?.revision, 2);
    assert.equal(loaded.situation.article.dispatch, 2);
    assert.equal(loaded.article.body, 'Newer words.');
    const again = await loadDelivery(ledger.db, { articleId, destination: 'blogsite_a' }, 'https://here.example');
    assert.equal(loaded.situation.article.hash, again?.situation.article.hash);
  });
}
