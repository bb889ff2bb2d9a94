/**
 * Comments, answers, moderation, follows, reads, publishes and ended deliveries at the same time.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import { acceptAnswer, unacceptAnswer } from '../../../store/comments/accept-answer.ts';
import { hideComment, lockComments, unhideComment, unlockComments } from '../../../store/comments/moderate.ts';
import { deleteComment, editComment } from '../../../store/comments/own-comment.ts';
import { follow, unfollow } from '../../../store/follows/follow.ts';
import { addNotification } from '../../../store/notifications/add.ts';
import { markRead } from '../../../store/notifications/list.ts';
import { react, unreact } from '../../../store/reactions/react.ts';
import { comment } from '../../support/api/comments.ts';
import { addArticle, addPerson } from '../../support/api/readership.ts';
import { waitForLock } from '../../support/database/locks.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';

let database: OpenTestDatabase;
before(async () => {
  database = await openTestDatabase({ maxConnections: 24 });
});
after(() => database.close());

const PEOPLE = 6;
const ACTORS = 24;
const ACTS = 60;

test('concurrent actions never deadlock, and an article has at most one accepted answer', async () => {
  const { db } = database;
  const people = await Promise.all(
    Array.from({ length: PEOPLE }, async () => {
      const id = await addPerson(db);
      const { slug, id: articleId } = await addArticle(db, id);
      return { id, slug, articleId };
    }),
  );
  const usernames = new Map(
    (await db.selectFrom('users').select(['id', 'username']).execute()).map(({ id, username }) => [id, username]),
  );
  const comments: { id: string; slug: string; writer: string; author: string }[] = [];
  const failures: unknown[] = [];
  const now = () => new Date();
  const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;
  let number = 0;

  async function act(): Promise<unknown> {
    const me = pick(people);
    const post = pick(people);
    const target = pick(comments);
    const n = ++number;
    const write = async (parentId: string | null, slug: string, author: string) => {
      const id = await comment(db, { slug, userId: me.id, parentId, body: `Words ${n}` });
      comments.push({ id, slug, writer: me.id, author });
    };
    const own = target && { userId: target.writer, commentId: target.id, now: now() };
    const moderated = target && { authorId: target.author, commentId: target.id, now: now() };
    const username = usernames.get(post.id) ?? '';
    switch (n % 16) {
      case 0:
      case 1:
      case 2:
        return write(null, post.slug, post.id);
      case 3:
      case 4:
      case 5:
        return target && write(target.id, target.slug, target.author);
      case 6:
        return own && deleteComment(db, own);
      case 7:
        return own && editComment(db, { ...own, body: `Other ${n}`, html: '', isQuestion: true });
      case 8:
        return moderated && acceptAnswer(db, moderated);
      case 9:
        return moderated && unacceptAnswer(db, moderated);
      case 10:
        return moderated && hideComment(db, moderated);
      case 11:
        return moderated && unhideComment(db, moderated);
      case 12:
        return follow(db, { followerId: me.id, username, now: now() }).then(() =>
          unfollow(db, { followerId: me.id, username }),
        );
      case 13:
        return Promise.all([
          react(db, { userId: me.id, slug: post.slug, kind: 'like', now: now() }),
          unreact(db, { userId: me.id, slug: post.slug, kind: 'like' }),
          markRead(db, { userId: post.id, now: now() }),
          markRead(db, { userId: post.id, now: now() }),
        ]);
      case 14:
        await lockComments(db, { authorId: post.id, slug: post.slug, now: now() });
        return unlockComments(db, { authorId: post.id, slug: post.slug });
      default:
        // Locks as a publish and the end of a delivery do: the author's row, the article, the
        // counter.
        return db.transaction().execute(async (tx) => {
          await tx.selectFrom('users').select('id').where('id', '=', post.id).forNoKeyUpdate().execute();
          await tx.updateTable('articles').set({ updatedAt: now() }).where('id', '=', post.articleId).execute();
          const payload = { platform: 'DEVTO', postTitle: 'A post', sharedUrl: 'https://dev.example/a' };
          await addNotification(tx, {
            ...{ userId: post.id, type: 'CROSS_POST_SUCCESS', payload, dedupeKey: `outcome:${n}`, now: now() },
          });
        });
    }
  }

  async function run() {
    for (let n = 0; n < ACTS; n++) {
      await act().catch((error: unknown) => {
        if (!(error instanceof RefusedCommandError)) failures.push(error);
      });
    }
  }

  await Promise.all(Array.from({ length: ACTORS }, run));
  assert.deepEqual(failures, []);
  const answers = await db.selectFrom('comments').select('articleId').where('acceptedAt', 'is not', null).execute();
  assert.equal(new Set(answers.map(({ articleId }) => articleId)).size, answers.length);
  const numbers = await db.selectFrom('notifications').select(['userId', 'number']).execute();
  assert.equal(new Set(numbers.map(({ userId, number: at }) => `${userId} ${at}`)).size, numbers.length);
  const lost = await db
    .selectFrom('comments as reply')
    .leftJoin('comments as parent', 'parent.id', 'reply.parentId')
    .select('reply.id')
    .where('reply.parentId', 'is not', null)
    .where('parent.id', 'is', null)
    .execute();
  assert.deepEqual(lost, []);
});

test('deleting a reply while the answer mark moves from its parent does not deadlock', async () => {
  const { db } = database;
  const [author, reader] = [await addPerson(db), await addPerson(db)];
  const { slug, id: articleId } = await addArticle(db, author);
  const question = await comment(db, { slug, userId: reader });
  const reply = await comment(db, { slug, userId: author, parentId: question });
  for (const [from, to] of [
    [question, reply],
    [reply, question],
  ] as const) {
    await acceptAnswer(db, { authorId: author, commentId: from, now: new Date() });
    const gone = from === reply ? reply : await comment(db, { slug, userId: author, parentId: question, body: 'Gone' });
    const goal = to === reply ? gone : to;
    // The deletion locks the reply, then waits for its notification until the acceptance waits too.
    const hold = await holdNotification(gone);
    const deletion = deleteComment(db, { userId: author, commentId: gone, now: new Date() });
    await waitForLock(db);
    const acceptance = acceptAnswer(db, { authorId: author, commentId: goal, now: new Date() });
    await waitForLock(db, 2);
    await hold.release();
    const [deleted, accepted] = await Promise.allSettled([deletion, acceptance]);
    assert.equal(deleted.status, 'fulfilled');
    if (accepted.status === 'rejected') assert.equal(accepted.reason.code, 'NOT_FOUND');
  }
  const answers = await db
    .selectFrom('comments')
    .select('id')
    .where('articleId', '=', articleId)
    .where('acceptedAt', 'is not', null)
    .execute();
  assert.deepEqual(answers, [{ id: question }]);
});

async function holdNotification(commentId: string) {
  const tx = await database.db.startTransaction().execute();
  await tx
    .selectFrom('notifications')
    .select('id')
    .where('dedupeKey', '=', `comment:${commentId}`)
    .forUpdate()
    .execute();
  return { release: () => tx.rollback().execute() };
}
