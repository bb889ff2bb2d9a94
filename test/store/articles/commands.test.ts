/** Tests the effect of each command of an author on an article in each state. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as commands from '../../../store/articles/commands.ts';
import type { Database } from '../../../store/db/database.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const NOW = new Date('2026-11-01T09:00:00Z');
const EARLIER = new Date('2026-03-01T10:00:00Z');
const LATER = new Date('2050-01-01T00:00:00Z');
const MOVED = new Date('2050-02-01T00:00:00Z');
const schedule = (db: Database, target: commands.ArticleTarget) =>
  commands.scheduleArticle(db, target, { at: MOVED, zone: null });

const DRAFT = { status: 'DRAFT', scheduledAt: null, publishedAt: null } as const;
const SCHEDULED = { status: 'SCHEDULED', scheduledAt: LATER, publishedAt: null } as const;
const PUBLIC = { status: 'PUBLISHED', scheduledAt: null, publishedAt: EARLIER } as const;
const UNPUBLISHED = { ...DRAFT, publishedAt: EARLIER };
const DELETED = { ...DRAFT, deletedAt: EARLIER };
const UNCHANGED = null;

const ALREADY_PUBLIC = {
  code: 'ALREADY_PUBLIC',
  message: 'The article is already public and stays public. To schedule it, unpublish it first.',
};
const FIRED = {
  code: 'ALREADY_PUBLIC',
  message: 'The scheduled time has passed: the article is public and stays public. To withdraw it, unpublish it.',
};
const WAS_DELETED = {
  code: 'DELETED',
  message: 'The article was deleted. To restore it, publish its document again.',
};

type State = Pick<Awaited<ReturnType<TestLedger['article']>>, 'status' | 'scheduledAt' | 'publishedAt'>;
type Row = [before: State & { deletedAt?: Date }, after: State | typeof UNCHANGED | { code: string; message: string }];

const TABLE: [(db: Database, target: commands.ArticleTarget) => Promise<void>, Row[]][] = [
  [
    commands.publishNow,
    [
      [DRAFT, { ...PUBLIC, publishedAt: NOW }],
      [SCHEDULED, { ...PUBLIC, publishedAt: NOW }],
      [UNPUBLISHED, PUBLIC],
      [PUBLIC, UNCHANGED],
      [DELETED, WAS_DELETED],
    ],
  ],
  [
    schedule,
    [
      [DRAFT, { ...SCHEDULED, scheduledAt: MOVED }],
      [SCHEDULED, { ...SCHEDULED, scheduledAt: MOVED }],
      [UNPUBLISHED, { ...SCHEDULED, scheduledAt: MOVED, publishedAt: EARLIER }],
      [PUBLIC, ALREADY_PUBLIC],
      [DELETED, WAS_DELETED],
    ],
  ],
  [
    commands.cancelSchedule,
    [
      [DRAFT, UNCHANGED],
      [SCHEDULED, DRAFT],
      [{ ...SCHEDULED, publishedAt: EARLIER }, UNPUBLISHED],
      [PUBLIC, FIRED],
      [DELETED, UNCHANGED],
    ],
  ],
  [
    commands.unpublishArticle,
    [
      [DRAFT, UNCHANGED],
      [SCHEDULED, DRAFT],
      [PUBLIC, UNPUBLISHED],
      [DELETED, UNCHANGED],
    ],
  ],
  [
    commands.deleteArticle,
    [
      [DRAFT, DRAFT],
      [SCHEDULED, DRAFT],
      [PUBLIC, UNPUBLISHED],
      [DELETED, UNCHANGED],
    ],
  ],
];

const describe = ({ status, publishedAt, deletedAt }: Row[0]) =>
  `${deletedAt ? 'deleted' : status.toLowerCase()}${publishedAt && status !== 'PUBLISHED' ? ', public before' : ''}`;

for (const [command, rows] of TABLE) {
  for (const [state, expected] of rows) {
    test(`${command.name}: an article that is ${describe(state)}`, async () => {
      const authorId = await ledger.addAuthor();
      const articleId = await ledger.addArticle(authorId, { ...state, source: 'Words.', imported: true });
      const before = await ledger.article(articleId);
      const running = command(ledger.db, { authorId, articleId, now: NOW });
      if (expected === UNCHANGED || 'code' in expected) {
        if (expected) await assert.rejects(running, { name: 'RefusedCommandError', ...expected });
        else await running;
        assert.deepEqual(await ledger.article(articleId), before);
        assert.deepEqual(await ledger.outbox(articleId), []);
        return;
      }
      await running;
      const article = await ledger.article(articleId);
      const { status, scheduledAt, publishedAt, revision, dispatch, updatedAt, dispatchedAt } = article;
      assert.deepEqual({ status, scheduledAt, publishedAt }, expected);
      assert.deepEqual(
        { revision, dispatch, updatedAt, dispatchedAt },
        {
          ...{ revision: before.revision + 1, dispatch: before.dispatch + 1 },
          ...{ updatedAt: NOW, dispatchedAt: NOW },
        },
      );
      assert.equal(article.imported, status === 'DRAFT', 'a draft stays imported');
      assert.deepEqual(await ledger.outbox(articleId), [null]);
      const isDeletion = command === commands.deleteArticle;
      assert.deepEqual([article.deletedAt, article.source], isDeletion ? [NOW, ''] : [null, 'Words.']);
      assert.equal(article.fingerprint.equals(before.fingerprint), false, 'the former document is a change');
    });
  }
}

test('the time of a schedule must be later than now', async () => {
  const authorId = await ledger.addAuthor();
  const target = { authorId, articleId: await ledger.addArticle(authorId, DRAFT), now: NOW };
  await assert.rejects(commands.scheduleArticle(ledger.db, target, { at: NOW, zone: null }), {
    code: 'IN_THE_PAST',
    message: '2026-11-01T09:00:00.000Z is in the past. Publish it now instead.',
  });
  const next = new Date(NOW.getTime() + 1);
  await commands.scheduleArticle(ledger.db, target, { at: next, zone: null });
  assert.deepEqual((await ledger.article(target.articleId)).scheduledAt, next);
});

test('another author’s article is NOT_FOUND for each command and stays unchanged (A18)', async () => {
  const articleId = await ledger.addArticle(await ledger.addAuthor(), SCHEDULED);
  const before = await ledger.article(articleId);
  const target = { authorId: await ledger.addAuthor(), articleId, now: NOW };
  for (const [command] of TABLE) {
    const refusal = { code: 'NOT_FOUND', message: 'You have no such article.' };
    await assert.rejects(command(ledger.db, target), refusal);
    await assert.rejects(command(ledger.db, { ...target, authorId: crypto.randomUUID() }), refusal);
  }
  assert.deepEqual(await ledger.article(articleId), before);
});

test('a suspended author can withdraw an article, but neither publish nor schedule it', async () => {
  const authorId = await ledger.addAuthor();
  await ledger.db.updateTable('users').set({ suspendedAt: EARLIER }).where('id', '=', authorId).execute();
  const target = { authorId, articleId: await ledger.addArticle(authorId, DRAFT), now: NOW };
  const refusal = {
    code: 'SUSPENDED',
    message: 'This account is suspended and cannot publish. Write to the operator.',
  };
  await assert.rejects(commands.publishNow(ledger.db, target), refusal);
  await assert.rejects(schedule(ledger.db, target), refusal);
  const published = { ...target, articleId: await ledger.addArticle(authorId, PUBLIC) };
  await commands.unpublishArticle(ledger.db, published);
  assert.equal((await ledger.article(published.articleId)).status, 'DRAFT');
});

test('a deletion frees the bytes of the document, once', async () => {
  const authorId = await ledger.addAuthor();
  await ledger.db.updateTable('users').set({ storedBytes: 100 }).where('id', '=', authorId).execute();
  const target = { authorId, articleId: await ledger.addArticle(authorId, { source: 'Wörds.' }), now: NOW };
  for (let times = 0; times < 2; times++) await commands.deleteArticle(ledger.db, target);
  const user = ledger.db.selectFrom('users').select('storedBytes').where('id', '=', authorId);
  assert.deepEqual(await user.execute(), [{ storedBytes: 93 }]);
});
