/** Publication of scheduled articles at the time in their row. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { publishDueArticle } from '../../../store/articles/schedules/publish-due.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const scheduledAt = new Date('2026-11-01T09:00:00Z');
const schedule = async (publishedAt: Date | null) =>
  ledger.addArticle(await ledger.addAuthor(), { status: 'SCHEDULED', publishedAt, scheduledAt });

test('an article is published exactly at its time and once', async () => {
  const id = await schedule(null);
  assert.equal(await publishDueArticle(ledger.db, id, new Date(scheduledAt.getTime() - 1)), false);
  assert.equal((await ledger.article(id)).status, 'SCHEDULED');
  const published = await Promise.all([1, 2].map(() => publishDueArticle(ledger.db, id, scheduledAt)));
  assert.deepEqual(published.sort(), [false, true]);
  const {
    status,
    scheduledAt: pending,
    publishedAt,
    firedAt,
    dispatch,
    revision,
    ...article
  } = await ledger.article(id);
  assert.deepEqual([status, pending, dispatch, revision], ['PUBLISHED', null, 2, 2]);
  assert.deepEqual([publishedAt, firedAt, article.updatedAt, article.dispatchedAt], Array(4).fill(scheduledAt));
});

test('an article that was public before keeps the time of its first publication', async () => {
  const first = new Date('2026-03-01T10:00:00Z');
  const id = await schedule(first);
  assert.equal(await publishDueArticle(ledger.db, id, scheduledAt), true);
  assert.deepEqual((await ledger.article(id)).publishedAt, first);
});
