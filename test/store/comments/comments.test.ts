/** Writing and listing comments: who is notified, and who can write where. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { acceptAnswer } from '../../../store/comments/accept-answer.ts';
import { MAX_DEPTH } from '../../../store/comments/add-comment.ts';
import { countComments, listComments } from '../../../store/comments/list-comments.ts';
import { lockComments, unlockComments } from '../../../store/comments/moderate.ts';
import { editComment } from '../../../store/comments/own-comment.ts';
import type { Database } from '../../../store/db/database.ts';
import { comment, describeThreads, listNotifications, setUpDiscussion } from '../../support/api/comments.ts';
import { addArticle, addPerson } from '../../support/api/readership.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';

let database: OpenTestDatabase;
let db: Database;
before(async () => {
  database = await openTestDatabase();
  db = database.db;
});
after(() => database.close());

const now = () => new Date();

test('a comment notifies the author of the article only, a reply only the writer of its parent', async () => {
  const { author, reader, other, slug } = await setUpDiscussion(db);
  const first = await comment(db, { slug, userId: reader });
  await comment(db, { slug, userId: other, parentId: first });
  assert.deepEqual(await listNotifications(db, author), [
    { type: 'NEW_COMMENT', actorName: 'Bob event: forged', postTitle: 'A post' },
  ]);
  assert.deepEqual(await listNotifications(db, reader), [
    { type: 'COMMENT_REPLY', actorName: 'Cleo', postTitle: 'A post' },
  ]);
  assert.deepEqual(await listNotifications(db, other), []);
});

test('nobody is notified of their own action', async () => {
  const { author, reader, slug } = await setUpDiscussion(db);
  await comment(db, { slug, userId: author });
  const own = await comment(db, { slug, userId: reader });
  await comment(db, { slug, userId: reader, parentId: own, body: 'To myself.' });
  await acceptAnswer(db, {
    authorId: author,
    commentId: await comment(db, { slug, userId: author, body: 'So.' }),
    now: now(),
  });
  assert.deepEqual(await listNotifications(db, reader), []);
  assert.equal((await listNotifications(db, author)).length, 1);
});

test('a repeated request, even a simultaneous one, returns the same comment', async () => {
  const { author, reader, slug } = await setUpDiscussion(db);
  const ids = await Promise.all(Array.from({ length: 8 }, () => comment(db, { slug, userId: reader, body: 'Once.' })));
  assert.equal(new Set(ids).size, 1);
  assert.equal((await listNotifications(db, author)).length, 1);
  const later = new Date(Date.now() + 60 * 60_000);
  assert.notEqual(await comment(db, { slug, userId: reader, body: 'Once.', now: later }), ids[0]);
});

test('comments are listed thread by thread, in pages without gaps or repetitions', async () => {
  const { reader, other, slug, id } = await setUpDiscussion(db);
  const one = await comment(db, { slug, userId: reader, body: 'one' });
  const two = await comment(db, { slug, userId: other, body: 'two' });
  await comment(db, { slug, userId: other, body: 'two.a', parentId: two });
  const oneA = await comment(db, { slug, userId: other, body: 'one.a', parentId: one });
  await comment(db, { slug, userId: reader, body: 'one.a.i', parentId: oneA });
  await comment(db, { slug, userId: reader, body: 'one.b', parentId: one });
  const expected = ['one', '  one.a', '    one.a.i', '  one.b', 'two', '  two.a'];
  assert.deepEqual(await describeThreads(db, id), expected);
  const seen: (string | null)[] = [];
  let after: Buffer | null = null;
  for (;;) {
    const page = await listComments(db, { articleId: id, viewerId: null, first: 2, after });
    seen.push(...page.map(({ body }) => body));
    const last = page.at(-1);
    if (!last) break;
    after = last.path;
  }
  assert.deepEqual(
    seen,
    expected.map((line) => line.trim()),
  );
  assert.equal(await countComments(db, id), 6);
});

test('a thread has a limited depth', async () => {
  const { reader, slug } = await setUpDiscussion(db);
  let parentId = await comment(db, { slug, userId: reader });
  for (let depth = 1; depth <= MAX_DEPTH; depth++) {
    parentId = await comment(db, { slug, userId: reader, parentId, body: `${depth}` });
  }
  await assert.rejects(comment(db, { slug, userId: reader, parentId }), {
    code: 'THREAD_TOO_DEEP',
    message: 'A thread is at most 8 comments deep. Reply to a comment further up.',
    field: 'parentId',
  });
});

test('only public articles have comments; a former slug finds the same article', async () => {
  const { reader, slug, id } = await setUpDiscussion(db);
  const draft = await setUpDiscussion(db, { status: 'DRAFT' });
  await db
    .insertInto('slugRedirects')
    .values({ slug: `old-${slug}`, articleId: id })
    .execute();
  await comment(db, { slug: `old-${slug}`, userId: reader });
  assert.equal(await countComments(db, id), 1);
  for (const wrong of [draft.slug, 'no-such-article', '\u0000', 'x'.repeat(10_000)]) {
    await assert.rejects(comment(db, { slug: wrong, userId: reader }), {
      code: 'NOT_FOUND',
      message: 'There is no public article with this slug.',
      field: 'slug',
    });
  }
});

test('an article of a suspended author accepts no comments, and a suspended user cannot comment', async () => {
  const { author, reader, slug, id } = await setUpDiscussion(db);
  await comment(db, { slug, userId: reader, body: 'Spam' });
  await db.updateTable('users').set({ suspendedAt: now() }).where('id', '=', reader).execute();
  await assert.rejects(comment(db, { slug, userId: reader, body: 'More' }), {
    code: 'SUSPENDED',
    message: 'This account is suspended and cannot do this. Write to the operator.',
  });
  assert.deepEqual(await describeThreads(db, id), []);
  assert.equal(await countComments(db, id), 0);
  await db.updateTable('users').set({ suspendedAt: now() }).where('id', '=', author).execute();
  await assert.rejects(comment(db, { slug, userId: await addPerson(db) }), { code: 'NOT_FOUND' });
});

test('a comment of a suspended user cannot be replied to or accepted, like a hidden one', async () => {
  const [author, reader] = [await addPerson(db), await addPerson(db)];
  const { slug } = await addArticle(db, author);
  const commentId = await comment(db, { slug, userId: reader });
  await db.updateTable('users').set({ suspendedAt: new Date() }).where('id', '=', reader).execute();
  await assert.rejects(comment(db, { slug, userId: author, parentId: commentId }), { code: 'NOT_FOUND' });
  await assert.rejects(acceptAnswer(db, { authorId: author, commentId, now: new Date() }), {
    code: 'NOT_FOUND',
    message: 'You have no public article with such a comment.',
    field: 'commentId',
  });
  assert.deepEqual(await listNotifications(db, reader), []);
  await db.updateTable('users').set({ suspendedAt: null }).where('id', '=', reader).execute();
  await comment(db, { slug, userId: author, parentId: commentId });
  await acceptAnswer(db, { authorId: author, commentId, now: new Date() });
  assert.equal((await listNotifications(db, reader)).length, 2);
});

test('comments_enabled and a lock close the comments; a lock does not change the article', async () => {
  const { author, reader, slug, id } = await setUpDiscussion(db);
  const own = await comment(db, { slug, userId: reader });
  const before = await db
    .selectFrom('articles')
    .select(['revision', 'updatedAt', 'dispatch'])
    .where('id', '=', id)
    .execute();
  await assert.rejects(lockComments(db, { authorId: reader, slug, now: now() }), {
    code: 'NOT_FOUND',
    message: 'You have no such article.',
    field: 'slug',
  });
  await lockComments(db, { authorId: author, slug, now: now() });
  await assert.rejects(comment(db, { slug, userId: author, body: 'New' }), {
    code: 'COMMENTS_CLOSED',
    message: 'The author has closed comments on this article.',
  });
  const edit = { userId: reader, commentId: own, body: 'Other', html: '', isQuestion: false, now: now() };
  await assert.rejects(editComment(db, edit), { code: 'COMMENTS_CLOSED' });
  // A repeated request still returns the existing comment.
  assert.equal(await comment(db, { slug, userId: reader }), own);
  await unlockComments(db, { authorId: author, slug });
  await editComment(db, edit);
  await db.updateTable('articles').set({ commentsEnabled: false }).where('id', '=', id).execute();
  await assert.rejects(comment(db, { slug, userId: reader, body: 'New' }), { code: 'COMMENTS_CLOSED' });
  const after = await db
    .selectFrom('articles')
    .select(['revision', 'updatedAt', 'dispatch'])
    .where('id', '=', id)
    .execute();
  assert.deepEqual(after, before);
});

test('a reply belongs to the article of its parent', async () => {
  const [one, other] = [await setUpDiscussion(db), await setUpDiscussion(db)];
  const parentId = await comment(db, { slug: one.slug, userId: one.reader });
  for (const wrong of [parentId, 'no-uuid', '00000000-0000-4000-8000-000000000000']) {
    const reply = comment(db, { slug: other.slug, userId: one.reader, parentId: wrong });
    await assert.rejects(reply, {
      code: 'NOT_FOUND',
      message: 'The comment that this replies to does not exist, or no longer exists.',
      field: 'parentId',
    });
  }
});

test('a comment and its notification are stored together or not at all', async () => {
  const { author, reader, slug, id } = await setUpDiscussion(db);
  // The counter has reached its maximum, so the notification fails.
  await db
    .insertInto('notificationCounters')
    .values({ userId: author, lastNumber: sql`9223372036854775807` })
    .execute();
  await assert.rejects(comment(db, { slug, userId: reader }));
  assert.equal(await countComments(db, id), 0);
  assert.deepEqual(await listNotifications(db, author), []);
});

test('different users who comment on one article do not wait for each other', async () => {
  const { reader, other, slug } = await setUpDiscussion(db);
  await db.transaction().execute(async (tx) => {
    // The comment of another user is still being written.
    await tx.selectFrom('users').select('id').where('id', '=', reader).forNoKeyUpdate().execute();
    await tx.selectFrom('articles').select('id').where('slug', '=', slug).forKeyShare().execute();
    await comment(db, { slug, userId: other });
  });
});
