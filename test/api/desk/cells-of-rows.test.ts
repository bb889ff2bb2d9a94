/** Cells of the ledger's own rows: what the grid reads there, and that “needs you” finds the articles whose cells say so. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { CellConnection } from '../../../api/desk/articles/cell.ts';
import { describeCell } from '../../../api/desk/articles/describe-cell.ts';
import { findOwnArticle, listOwnArticles } from '../../../store/articles/own-articles.ts';
import { listGridDeliveries } from '../../../store/deliveries/grid.ts';
import { countNeedingAuthor } from '../../../store/deliveries/needs-author.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';

const NOW = new Date('2026-06-01');
const FOREM: CellConnection = { destination: 'blogsite_a', platform: 'forem', status: 'active', createdAt: NOW };

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const OPEN_UPDATE = { action: 'update', number: 1, outcome: null, endedAt: null } as const;
const MADE = { kind: 'done', remote: { remoteId: '1', url: 'https://there.example/1', changedAt: null } } as const;
const NO = { kind: 'rejected', code: 'no', reason: 'No.' } as const;

for (const [what, answer, seen] of [
  ['that nobody has answered', null, 'perhaps'],
  ['of unknown outcome', { kind: 'unknown', reason: 'cut' }, 'perhaps'],
  ['that was made, and is not recorded yet', MADE, 'live'],
  ['that was refused', NO, 'withdrawn'],
] as const) {
  test(`a withdrawn post is ${seen} to the grid while an update of it is open ${what} (F27)`, async () => {
    const authorId = await ledger.addAuthor();
    await ledger.addConnection(authorId);
    const articleId = await ledger.addArticle(authorId);
    const post = { remoteId: '1', withdrawnAt: NOW, withdrawRequested: true, state: 'stale' } as const;
    const answered = answer && { answer: JSON.stringify(answer), answeredAt: NOW };
    await ledger.addDelivery(articleId, post, { ...OPEN_UPDATE, ...answered });
    const article = await findOwnArticle(ledger.db, { authorId, articleId });
    const [delivery = null] = await listGridDeliveries(ledger.db, { authorId, articleIds: [articleId] });
    assert.ok(article && delivery);
    const expected = { isLive: seen === 'live', isUncertain: seen === 'perhaps' };
    assert.deepEqual({ isLive: delivery.isLive, isUncertain: delivery.isUncertain }, expected);
    const { word } = describeCell({ destination: 'blogsite_a', connection: FOREM, delivery, article });
    assert.equal(word, seen === 'withdrawn' ? 'withdrawn' : 'withdrawing');
  });
}

const WITHDRAWN = { remoteId: '1', withdrawnAt: NOW };
const COPIES = [
  [{}, undefined],
  [{ remoteId: '1' }, undefined],
  [WITHDRAWN, undefined],
  [WITHDRAWN, OPEN_UPDATE],
  [WITHDRAWN, { ...OPEN_UPDATE, answer: JSON.stringify(MADE), answeredAt: NOW }],
  [WITHDRAWN, { ...OPEN_UPDATE, answer: JSON.stringify(NO), answeredAt: NOW }],
] as const;

test('the filter “needs you” finds the articles whose cells say so, and counts them', async () => {
  const { db } = ledger;
  const authorId = await ledger.addAuthor();
  await ledger.addConnection(authorId);
  const expected: string[] = [];
  for (const state of ['pending', 'delivered', 'stale', 'failed', 'unknown', 'held'] as const)
    for (const status of ['PUBLISHED', 'DRAFT'] as const)
      for (const [copy, open] of COPIES)
        for (const more of [{}, { withdrawRequested: true }, { lastErrorCode: 'skipped' }])
          for (const changed of [{}, { crossPost: '{}' }, { imported: true }, { syndicate: false }]) {
            const articleId = await ledger.addArticle(authorId, { status, publishedAt: NOW, ...changed });
            await ledger.addDelivery(articleId, { state, ...copy, ...more }, open);
            const article = await findOwnArticle(db, { authorId, articleId });
            const [delivery = null] = await listGridDeliveries(db, { authorId, articleIds: [articleId] });
            assert.ok(article && delivery);
            const { needsAuthor } = describeCell({ destination: 'blogsite_a', connection: FOREM, delivery, article });
            if (needsAuthor) expected.push(articleId);
          }
  const found = await listOwnArticles(db, authorId, { filter: { needsAuthor: true }, limit: 1_000, after: null });
  assert.deepEqual(found.map(({ id }) => id).sort(), expected.sort());
  assert.equal(await countNeedingAuthor(db, authorId, 1_000), expected.length);
  assert.equal(await countNeedingAuthor(db, authorId, 10), 10);
});
