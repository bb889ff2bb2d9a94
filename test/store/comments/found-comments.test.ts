/** One comment: its position on the pages, its details for those who manage it, and the accepted answer. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { acceptAnswer, unacceptAnswer } from '../../../store/comments/accept-answer.ts';
import {
  COMMENT_PAGE_LENGTH,
  findAcceptedAnswer,
  findCommentPosition,
  findManagedComment,
} from '../../../store/comments/find-comment.ts';
import { listComments } from '../../../store/comments/list-comments.ts';
import type { Database } from '../../../store/db/database.ts';
import { comment, setUpDiscussion } from '../../support/api/comments.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';

let database: OpenTestDatabase;
let db: Database;
before(async () => {
  database = await openTestDatabase();
  db = database.db;
});
after(() => database.close());

const NOW = new Date('2026-11-01T09:00:00Z');
const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
const changeArticle = (id: string, set: object) => db.updateTable('articles').set(set).where('id', '=', id).execute();
const changeComment = (id: string, set: object) => db.updateTable('comments').set(set).where('id', '=', id).execute();
const changeUser = (id: string, set: object) => db.updateTable('users').set(set).where('id', '=', id).execute();

test('a comment is found on the first page, or on the page that begins with its thread', async () => {
  const { id: articleId, author, reader, slug } = await setUpDiscussion(db);
  const write = (seconds: number, parentId: string | null = null) =>
    comment(db, { slug, userId: reader, parentId, body: `${seconds}`, now: at(seconds) });
  const ids: string[] = [];
  for (let count = 0; count < COMMENT_PAGE_LENGTH; count++) ids.push(await write(count));
  const next = await write(200);
  const reply = await write(201, next);
  const last = ids.at(-1) ?? '';
  const pageOf = async (id: string) => {
    const { before: cursor, ...found } = (await findCommentPosition(db, id)) ?? assert.fail();
    const [first] = await listComments(db, { articleId, viewerId: null, first: 1, after: cursor });
    return { ...found, first: first?.id };
  };
  assert.deepEqual(await pageOf(last), { slug, isOnFirstPage: true, first: last });
  assert.deepEqual(await pageOf(next), { slug, isOnFirstPage: false, first: next });
  assert.deepEqual(await pageOf(reply), { slug, isOnFirstPage: false, first: next });
  for (const id of ['no-id', crypto.randomUUID()]) assert.equal(await findCommentPosition(db, id), undefined);
  for (const [set, undo] of [
    [{ status: 'DRAFT' }, { status: 'PUBLISHED' }],
    [{ commentsEnabled: false }, { commentsEnabled: true }],
  ]) {
    await changeArticle(articleId, set as object);
    assert.equal(await findCommentPosition(db, last), undefined);
    await changeArticle(articleId, undo as object);
  }
  await changeUser(author, { suspendedAt: NOW });
  assert.equal(await findCommentPosition(db, last), undefined);
});

test('a comment is managed by its writer and by the author of the article, and by nobody else', async () => {
  const { id: articleId, author, reader, other, slug } = await setUpDiscussion(db);
  const commentId = await comment(db, { slug, userId: other });
  const find = (viewerId: string, id = commentId) => findManagedComment(db, { commentId: id, viewerId });
  const details = {
    ...{ id: commentId, body: 'Words.', html: '<p>Words.</p>', isQuestion: false, acceptedAt: null, hiddenAt: null },
    ...{ slug, articleTitle: 'A post', authorName: 'Cleo', commentsOpen: true },
  };
  assert.deepEqual(await find(other), { ...details, isOwn: true, isArticleAuthor: false });
  assert.deepEqual(await find(author), { ...details, isOwn: false, isArticleAuthor: true });
  assert.equal(await find(reader), undefined);
  for (const id of ['no-id', crypto.randomUUID()]) assert.equal(await find(author, id), undefined);
  for (const closed of [{ commentsLockedAt: NOW }, { commentsLockedAt: null, commentsEnabled: false }]) {
    await changeArticle(articleId, closed);
    assert.equal((await find(author))?.commentsOpen, false);
  }
  await changeComment(commentId, { userId: null });
  const { isOwn, authorName } = (await find(author)) ?? {};
  assert.deepEqual([isOwn, authorName], [false, null]);
  await changeUser(author, { suspendedAt: NOW });
  assert.equal(await find(author), undefined);
  await changeUser(author, { suspendedAt: null });
  await changeArticle(articleId, { status: 'DRAFT' });
  assert.equal(await find(author), undefined);
  await changeArticle(articleId, { status: 'PUBLISHED' });
  await changeComment(commentId, { deletedAt: NOW });
  assert.equal(await find(author), undefined);
});

test('the accepted answer is shown while everybody can read it, and its writer is notified with a link', async () => {
  const { id: articleId, author, reader, slug } = await setUpDiscussion(db);
  const [one, two] = [
    await comment(db, { slug, userId: reader }),
    await comment(db, { slug, userId: reader, body: 'B' }),
  ];
  assert.equal(await findAcceptedAnswer(db, articleId), undefined);
  await acceptAnswer(db, { authorId: author, commentId: one, now: NOW });
  await acceptAnswer(db, { authorId: author, commentId: two, now: NOW });
  const answer = { id: two, authorName: 'Bob\r\nevent: forged' };
  assert.deepEqual(await findAcceptedAnswer(db, articleId), answer);
  const notifications = await db
    .selectFrom('notifications')
    .select(['type', 'payload', 'link'])
    .where('userId', '=', reader)
    .orderBy('number')
    .execute();
  const payload = { actorName: 'Ada', postTitle: 'A post' };
  assert.deepEqual(
    notifications,
    [one, two].map((id) => ({ type: 'ACCEPTED_ANSWER', payload, link: `/${slug}#comment-${id}` })),
  );
  for (const [set, undo] of [
    [{ hiddenAt: NOW }, { hiddenAt: null }],
    [{ deletedAt: NOW }, { deletedAt: null }],
  ]) {
    await changeComment(two, set as object);
    assert.equal(await findAcceptedAnswer(db, articleId), undefined);
    await changeComment(two, undo as object);
  }
  await changeUser(reader, { suspendedAt: NOW });
  assert.equal(await findAcceptedAnswer(db, articleId), undefined);
  await changeUser(reader, { suspendedAt: null });
  const refusal = {
    ...{ code: 'NOT_FOUND', message: 'You have no public article with such a comment.', field: 'commentId' },
  };
  await assert.rejects(unacceptAnswer(db, { authorId: author, commentId: 'no-id' }), refusal);
  await unacceptAnswer(db, { authorId: author, commentId: two });
  assert.equal(await findAcceptedAnswer(db, articleId), undefined);
});

test('an article without comments refuses them with another reason than a closed one', async () => {
  const { id, reader, slug } = await setUpDiscussion(db);
  await changeArticle(id, { commentsEnabled: false });
  await assert.rejects(comment(db, { slug, userId: reader }), {
    code: 'COMMENTS_CLOSED',
    message: 'This article has no comments.',
  });
});
