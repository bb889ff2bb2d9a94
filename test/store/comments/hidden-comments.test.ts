/** Comments that an article's author hides, and their notifications. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { acceptAnswer } from '../../../store/comments/accept-answer.ts';
import { countComments } from '../../../store/comments/list-comments.ts';
import { hideComment, unhideComment } from '../../../store/comments/moderate.ts';
import { deleteComment } from '../../../store/comments/own-comment.ts';
import type { Database } from '../../../store/db/database.ts';
import { countUnread, markRead } from '../../../store/notifications/list.ts';
import { listenForAnnouncements } from '../../support/api/announcements.ts';
import { comment, describeThreads, listNotifications, setUpDiscussion } from '../../support/api/comments.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';

let database: OpenTestDatabase;
let db: Database;
before(async () => {
  database = await openTestDatabase();
  db = database.db;
});
after(() => database.close());

const now = () => new Date();

test('a comment that is deleted or hidden while unread has no notification', async () => {
  const { author, reader, slug } = await setUpDiscussion(db);
  const one = await comment(db, { slug, userId: reader, body: 'one' });
  const two = await comment(db, { slug, userId: reader, body: 'two' });
  await deleteComment(db, { userId: reader, commentId: one, now: now() });
  await hideComment(db, { authorId: author, commentId: two, now: now() });
  assert.deepEqual(await listNotifications(db, author), []);
});

test('a comment shown again is unread again under its number, and is announced once however often it is hidden', async () => {
  const { author, reader, slug } = await setUpDiscussion(db);
  const listener = await listenForAnnouncements(database.url);
  const id = await comment(db, { slug, userId: reader });
  const target = { authorId: author, commentId: id, now: now() };
  const countNotifications = async () => [(await listNotifications(db, author)).length, await countUnread(db, author)];
  for (let turn = 0; turn < 2; turn++) {
    await hideComment(db, target);
    await hideComment(db, target);
    assert.deepEqual(await countNotifications(), [0, 0]);
    await unhideComment(db, target);
    assert.deepEqual(await countNotifications(), [1, 1]);
  }
  await hideComment(db, target);
  await markRead(db, { userId: author, now: now() });
  await unhideComment(db, target);
  assert.deepEqual(await countNotifications(), [1, 1], 'what was not shown was not read');
  await markRead(db, { userId: author, now: now() });
  await hideComment(db, target);
  await unhideComment(db, target);
  assert.deepEqual(await countNotifications(), [1, 0], 'what was read stays');
  assert.equal((await listener.end()).length, 1);
});

test('deleting a hidden comment deletes its notification', async () => {
  const { author, reader, slug } = await setUpDiscussion(db);
  const id = await comment(db, { slug, userId: reader });
  await hideComment(db, { authorId: author, commentId: id, now: now() });
  await deleteComment(db, { userId: reader, commentId: id, now: now() });
  assert.deepEqual(await db.selectFrom('notifications').select('id').where('userId', '=', author).execute(), []);
});

test('a hidden comment is visible to its writer and the author only, and cannot be replied to or accepted', async () => {
  const { author, reader, other, slug, id } = await setUpDiscussion(db);
  const bad = await comment(db, { slug, userId: reader, body: 'bad' });
  const reply = await comment(db, { slug, userId: other, body: 'reply', parentId: bad });
  await acceptAnswer(db, { authorId: author, commentId: bad, now: now() });
  await assert.rejects(hideComment(db, { authorId: other, commentId: bad, now: now() }), {
    code: 'NOT_FOUND',
    message: 'Your articles have no such comment.',
    field: 'id',
  });
  await hideComment(db, { authorId: author, commentId: bad, now: now() });
  await hideComment(db, { authorId: author, commentId: bad, now: now() });
  assert.deepEqual(await describeThreads(db, id), ['hidden: null', '  reply']);
  assert.deepEqual(await describeThreads(db, id, other), ['hidden: null', '  reply']);
  for (const viewer of [author, reader]) {
    assert.deepEqual(await describeThreads(db, id, viewer), ['hidden: bad', '  reply']);
  }
  await assert.rejects(comment(db, { slug, userId: other, parentId: bad }), {
    code: 'NOT_FOUND',
    message: 'The comment that this replies to does not exist, or no longer exists.',
    field: 'parentId',
  });
  await assert.rejects(acceptAnswer(db, { authorId: author, commentId: bad, now: now() }), {
    code: 'NOT_FOUND',
    message: 'You have no public article with such a comment.',
    field: 'commentId',
  });
  await hideComment(db, { authorId: author, commentId: reply, now: now() });
  assert.equal(await countComments(db, id), 0);
  await unhideComment(db, { authorId: author, commentId: bad });
  await unhideComment(db, { authorId: author, commentId: reply });
  assert.deepEqual(await describeThreads(db, id), ['bad', '  reply']);
});
