/** Editing and deleting one's own comments. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listComments } from '../../../store/comments/list-comments.ts';
import { deleteComment, editComment } from '../../../store/comments/own-comment.ts';
import type { Database } from '../../../store/db/database.ts';
import { comment, describeThreads, listNotifications, setUpDiscussion } from '../../support/api/comments.ts';
import { addPerson } from '../../support/api/readership.ts';
import { waitForLock } from '../../support/database/locks.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';

let database: OpenTestDatabase;
let db: Database;
before(async () => {
  database = await openTestDatabase();
  db = database.db;
});
after(() => database.close());

const now = () => new Date();

test('an edit changes only the writer’s own comment, records the time and notifies nobody', async () => {
  const { author, reader, slug, id } = await setUpDiscussion(db);
  const own = await comment(db, { slug, userId: reader });
  const edit = { commentId: own, body: 'Better.', html: '<p>Better.</p>', isQuestion: true, now: now() };
  await editComment(db, { ...edit, userId: reader });
  for (const userId of [author, await addPerson(db)]) {
    await assert.rejects(editComment(db, { ...edit, userId }), {
      code: 'NOT_FOUND',
      message: 'You have no such comment.',
      field: 'id',
    });
  }
  const [shown] = await listComments(db, { articleId: id, viewerId: null, first: 1, after: null });
  assert.deepEqual([shown?.body, shown?.html, shown?.isQuestion], ['Better.', '<p>Better.</p>', true]);
  assert.ok(shown?.editedAt);
  assert.equal((await listNotifications(db, author)).length, 1);
});

test('a deleted comment with replies stays as an empty one until the last reply is deleted', async () => {
  const { author, reader, other, slug, id } = await setUpDiscussion(db);
  const top = await comment(db, { slug, userId: reader, body: 'top' });
  const middle = await comment(db, { slug, userId: other, body: 'middle', parentId: top });
  const last = await comment(db, { slug, userId: author, body: 'last', parentId: middle });
  await assert.rejects(deleteComment(db, { userId: author, commentId: top, now: now() }), {
    code: 'NOT_FOUND',
    message: 'You have no such comment.',
    field: 'id',
  });
  await deleteComment(db, { userId: reader, commentId: top, now: now() });
  await deleteComment(db, { userId: other, commentId: middle, now: now() });
  await deleteComment(db, { userId: other, commentId: middle, now: now() });
  assert.deepEqual(await describeThreads(db, id), ['deleted: null', '  deleted: null', '    last']);
  const erased = await db.selectFrom('comments').select(['body', 'html']).where('id', '=', top).executeTakeFirst();
  assert.deepEqual(erased, { body: '', html: '' });
  await assert.rejects(comment(db, { slug, userId: other, parentId: middle }), {
    code: 'NOT_FOUND',
    message: 'The comment that this replies to does not exist, or no longer exists.',
    field: 'parentId',
  });
  await deleteComment(db, { userId: author, commentId: last, now: now() });
  const remaining = await db.selectFrom('comments').select('id').where('articleId', '=', id).execute();
  assert.deepEqual(remaining, []);
});

test('a comment is not removed while a reply to it is being written', async () => {
  const { reader, other, slug, id } = await setUpDiscussion(db);
  const top = await comment(db, { slug, userId: reader });
  const target = { userId: reader, commentId: top, now: now() };
  const deleted = await db.transaction().execute(async (tx) => {
    await tx.insertInto('comments').values({ articleId: id, userId: other, parentId: top, body: 'Reply' }).execute();
    const deleting = deleteComment(db, target);
    await waitForLock(db);
    // Not awaited: it continues once this transaction has committed.
    return { deleting };
  });
  await deleted.deleting;
  assert.deepEqual(await describeThreads(db, id), ['deleted: null', '  Reply']);
});
