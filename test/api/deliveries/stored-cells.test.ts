/** Tests grid cells of stored deliveries, and the filter “Needs attention”. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { CellConnection } from '../../../api/deliveries/grid/describe-cell.ts';
import { describeCell } from '../../../api/deliveries/grid/describe-cell.ts';
import { listOwnArticles, listOwnArticlesByIds } from '../../../store/articles/own-articles.ts';
import { listGridDeliveries } from '../../../store/deliveries/grid.ts';
import { countNeedingAuthor } from '../../../store/deliveries/states.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';

const NOW = new Date('2026-06-01');
const FOREM: CellConnection = { destination: 'blogsite_a', platform: 'forem', status: 'active', createdAt: NOW };

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const UPDATE = { action: 'update' } as const;
const HIDDEN = { presence: 'hidden', withdrawnAt: NOW } as const;
const UNCERTAIN = { presence: 'uncertain', withdrawnAt: NOW } as const;
const FAILED = { outcome: 'failed', code: 'rejected', reason: 'No.' } as const;

for (const [presence, seen, word] of [
  ['uncertain', 'uncertain', 'Withdrawing'],
  ['live', 'live', 'Withdrawing'],
  ['hidden', 'withdrawn', 'Withdrawn'],
] as const) {
  test(`the grid shows a withdrawn copy with the presence ${presence} as ${seen} (F27)`, async () => {
    const authorId = await ledger.addAuthor();
    await ledger.addConnection(authorId);
    const articleId = await ledger.addArticle(authorId);
    const copy = { presence, withdrawnAt: NOW };
    await ledger.addDelivery(articleId, { handledDispatch: 1, withdrawRequested: true, copy });
    const { cell, delivery } = await readCell(authorId, articleId);
    const expected = { hasLiveCopy: seen !== 'withdrawn', isUncertain: seen === 'uncertain' };
    assert.deepEqual({ hasLiveCopy: delivery.hasLiveCopy, isUncertain: delivery.isUncertain }, expected);
    assert.equal(cell.stateText, word);
  });
}

test('a copy at another account is shown with its place, and can be sent to the connected account', async () => {
  const { db } = ledger;
  const authorId = await ledger.addAuthor();
  await ledger.addConnection(authorId);
  const accountId = await ledger.addAccount(authorId);
  await db.updateTable('accounts').set({ name: '@old' }).where('id', '=', accountId).execute();
  const articleId = await ledger.addArticle(authorId);
  await ledger.addDelivery(articleId, { handledDispatch: 1, accountId, copy: { remoteId: 'at the old one' } });
  const { cell } = await readCell(authorId, articleId);
  const commands = cell.commands.map(({ text }) => text);
  assert.deepEqual([cell.stateText, cell.needsAuthor, cell.isUnderWay, commands], ['At @old', false, false, ['Send']]);
});

const SKIPPED = { skippedDispatch: 1 };
for (const [what, article, { attempts, ...intent }, expected] of [
  ['rejected', {}, { attempts: [FAILED] }, true],
  ['rejected and not selected', { crossPost: '{}' }, { attempts: [FAILED] }, false],
  ['rejected and imported', { imported: true }, { attempts: [FAILED] }, false],
  ['rejected and published on this site only', { syndicate: false }, { attempts: [FAILED] }, false],
  ['rejected and unpublished', { status: 'DRAFT' }, { attempts: [FAILED] }, false],
  ['rejected and skipped', {}, { attempts: [FAILED], ...SKIPPED }, false],
  ['of unknown outcome', {}, { attempts: [{ unknownDispatch: 1 }] }, true],
  ['of unknown outcome and skipped', {}, { attempts: [{ unknownDispatch: 1 }], ...SKIPPED }, false],
] as const) {
  test(`a delivery that is ${what} ${expected ? 'needs attention' : 'needs no attention'}`, async () => {
    const authorId = await ledger.addAuthor();
    await ledger.addConnection(authorId);
    const articleId = await ledger.addArticle(authorId, article);
    await ledger.addDelivery(articleId, { handledDispatch: 1, attempts: [...attempts], ...intent });
    assert.equal((await readCell(authorId, articleId)).cell.needsAuthor, expected);
  });
}

const DUE = { handledDispatch: 0, dueAt: NOW };
const INTENTS = [
  DUE,
  { handledDispatch: 1 },
  { handledDispatch: 1, withdrawRequested: true },
  { handledDispatch: 1, skippedDispatch: 1 },
];
const COPIES = [undefined, {}, HIDDEN, UNCERTAIN];
const ATTEMPTS = [[], [FAILED], [UPDATE], [{}]];

test('the filter “Needs attention” finds and counts exactly the articles with cells that need attention', async () => {
  const { db } = ledger;
  const authorId = await ledger.addAuthor();
  await ledger.addConnection(authorId);
  const added: string[] = [];
  for (const status of ['PUBLISHED', 'DRAFT'] as const)
    for (const intent of INTENTS)
      for (const copy of COPIES)
        for (const attempts of ATTEMPTS)
          for (const changed of [{}, { crossPost: '{}' }, { imported: true }, { syndicate: false }]) {
            const articleId = await ledger.addArticle(authorId, { status, publishedAt: NOW, ...changed });
            const post = copy && { copy: { remoteId: `post of ${articleId}`, ...copy } };
            await ledger.addDelivery(articleId, { ...intent, ...post, attempts });
            added.push(articleId);
          }
  const cells = await readCells(authorId, added);
  const expected = cells.filter(({ cell }) => cell.needsAuthor).map(({ articleId }) => articleId);
  const found = await listOwnArticles(db, authorId, { filter: { needsAuthor: true }, limit: 1_000, after: null });
  assert.deepEqual(found.map(({ id }) => id).sort(), expected.sort());
  assert.equal(await countNeedingAuthor(db, authorId, 1_000), expected.length);
  assert.equal(await countNeedingAuthor(db, authorId, 10), 10);
});

async function readCell(authorId: string, articleId: string) {
  const [only] = await readCells(authorId, [articleId]);
  assert.ok(only);
  return only;
}

async function readCells(authorId: string, articleIds: readonly string[]) {
  const articles = await listOwnArticlesByIds(ledger.db, authorId, articleIds);
  const deliveries = await listGridDeliveries(ledger.db, { authorId, articleIds });
  return articleIds.map((articleId) => {
    const article = articles.find(({ id }) => id === articleId);
    const delivery = deliveries.find((row) => row.articleId === articleId);
    assert.ok(article && delivery);
    const cell = describeCell({ destination: 'blogsite_a', connection: FOREM, delivery, article });
    return { articleId, delivery, cell };
  });
}
