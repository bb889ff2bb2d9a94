/** Tests the delivery history of an article. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listAttempts } from '../../../store/attempts/attempts.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

test('attempts are listed newest first, up to the limit', async () => {
  const authorId = await ledger.addAuthor();
  await ledger.addConnection(authorId);
  const articleId = await ledger.addArticle(authorId, { dispatch: 1 });
  const attempts = [1, 2, 3].map((minute) => ({
    ...{ outcome: 'failed' as const, reason: `Attempt ${minute}` },
    startedAt: new Date(Date.UTC(2026, 0, 1, 0, minute)),
  }));
  await ledger.addDelivery(articleId, { attempts });
  const list = async (author: string) => {
    const rows = await listAttempts(ledger.db, { authorId: author, articleId, limit: 2 });
    return rows.map(({ reason }) => reason);
  };
  assert.deepEqual(await list(authorId), ['Attempt 3', 'Attempt 2']);
  assert.deepEqual(await list(await ledger.addAuthor()), []);
});
