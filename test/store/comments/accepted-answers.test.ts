/** Accepted answers: at most one per article, chosen by its author. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { acceptAnswer, unacceptAnswer } from '../../../store/comments/accept-answer.ts';
import { listComments } from '../../../store/comments/list-comments.ts';
import { hideComment, unhideComment } from '../../../store/comments/moderate.ts';
import type { Database } from '../../../store/db/database.ts';
import { listenForAnnouncements } from '../../support/api/announcements.ts';
import { comment, listNotifications, setUpDiscussion } from '../../support/api/comments.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';

let database: OpenTestDatabase;
let db: Database;
before(async () => {
  database = await openTestDatabase();
  db = database.db;
});
after(() => database.close());

const now = () => new Date();

test('an answer that is hidden and accepted again is announced once; showing it again does not accept it', async () => {
  const { author, reader, slug } = await setUpDiscussion(db);
  const id = await comment(db, { slug, userId: reader });
  const target = { authorId: author, commentId: id, now: now() };
  const listener = await listenForAnnouncements(database.url);
  await acceptAnswer(db, target);
  await hideComment(db, target);
  await unhideComment(db, target);
  assert.deepEqual(await listNotifications(db, reader), []);
  await acceptAnswer(db, target);
  assert.equal((await listNotifications(db, reader)).length, 1);
  assert.equal((await listener.end()).length, 1);
});

test('an article has one accepted answer, which only its author moves and removes', async () => {
  const { author, reader, other, slug, id } = await setUpDiscussion(db);
  const [one, two] = [await comment(db, { slug, userId: reader }), await comment(db, { slug, userId: other })];
  const accepted = async () =>
    (await listComments(db, { articleId: id, viewerId: null, first: 10, after: null }))
      .filter(({ acceptedAt }) => acceptedAt !== null)
      .map((row) => row.id);
  await assert.rejects(acceptAnswer(db, { authorId: reader, commentId: one, now: now() }), {
    code: 'NOT_FOUND',
    message: 'You have no public article with such a comment.',
    field: 'commentId',
  });
  await acceptAnswer(db, { authorId: author, commentId: one, now: now() });
  assert.deepEqual(await accepted(), [one]);
  await Promise.all(
    [one, two, one, two].map((commentId) => acceptAnswer(db, { authorId: author, commentId, now: now() })),
  );
  assert.equal((await accepted()).length, 1);
  await acceptAnswer(db, { authorId: author, commentId: two, now: now() });
  assert.deepEqual(await accepted(), [two]);
  await assert.rejects(unacceptAnswer(db, { authorId: other, commentId: two }), {
    code: 'NOT_FOUND',
    message: 'You have no public article with such a comment.',
    field: 'commentId',
  });
  await unacceptAnswer(db, { authorId: author, commentId: two });
  assert.deepEqual(await accepted(), []);
  // One notification each, however often the mark moved.
  for (const [person, name] of [
    [reader, 'Ada'],
    [other, 'Ada'],
  ] as const) {
    assert.deepEqual(await listNotifications(db, person), [
      { type: 'ACCEPTED_ANSWER', actorName: name, postTitle: 'A post' },
    ]);
  }
});
