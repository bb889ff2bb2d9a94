import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { acceptAnswer, unacceptAnswer } from '../../../store/comments/accept-answer.ts';
import { MAX_DEPTH } from '../../../store/comments/add-comment.ts';
import { countComments, listComments } from '../../../store/comments/list-comments.ts';
import { hideComment, lockComments, unhideComment, unlockComments } from '../../../store/comments/moderate.ts';
import { deleteComment, editComment } from '../../../store/comments/own-comment.ts';
import type { Database } from '../../../store/db/database.ts';
import { countUnread } from '../../../store/notifications/list.ts';
import { markRead } from '../../../store/notifications/mark-read.ts';
import { listenForAnnouncements } from '../../support/announcements.ts';
import { comment, listTold, showThreads } from '../../support/comments.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';
import { waitForLock } from '../../support/locks.ts';
import { addArticle, addPerson } from '../../support/readership.ts';

let database: OpenTestDatabase;
let db: Database;
before(async () => {
  database = await openTestDatabase();
  db = database.db;
});
after(() => database.close());

const now = () => new Date();

async function setUp(more: { title?: string; status?: 'DRAFT' | 'PUBLISHED' } = {}) {
  const [author, reader, other] = [
    await addPerson(db, 'Ada'),
    await addPerson(db, 'Bob\r\nevent: forged'),
    await addPerson(db, 'Cleo'),
  ];
  return { author, reader, other, ...(await addArticle(db, author, { title: 'A post', ...more })) };
}

test('a comment notifies the author of the article, and a reply the one it answers, and nobody else', async () => {
  const { author, reader, other, slug } = await setUp();
  const first = await comment(db, { slug, userId: reader });
  await comment(db, { slug, userId: other, parentId: first });
  assert.deepEqual(await listTold(db, author), [
    { type: 'NEW_COMMENT', actorName: 'Bob event: forged', postTitle: 'A post' },
  ]);
  assert.deepEqual(await listTold(db, reader), [{ type: 'COMMENT_REPLY', actorName: 'Cleo', postTitle: 'A post' }]);
  assert.deepEqual(await listTold(db, other), []);
});

test('nobody hears of their own act', async () => {
  const { author, reader, slug } = await setUp();
  await comment(db, { slug, userId: author });
  const own = await comment(db, { slug, userId: reader });
  await comment(db, { slug, userId: reader, parentId: own, body: 'To myself.' });
  await acceptAnswer(db, {
    authorId: author,
    commentId: await comment(db, { slug, userId: author, body: 'So.' }),
    now: now(),
  });
  assert.deepEqual(await listTold(db, reader), []);
  assert.equal((await listTold(db, author)).length, 1);
});

test('a request that is sent again, even at the same time, answers the same comment', async () => {
  const { author, reader, slug } = await setUp();
  const ids = await Promise.all(Array.from({ length: 8 }, () => comment(db, { slug, userId: reader, body: 'Once.' })));
  assert.equal(new Set(ids).size, 1);
  assert.equal((await listTold(db, author)).length, 1);
  const later = new Date(Date.now() + 60 * 60_000);
  assert.notEqual(await comment(db, { slug, userId: reader, body: 'Once.', now: later }), ids[0]);
});

test('comments are listed thread after thread, in pages that miss nothing and repeat nothing', async () => {
  const { reader, other, slug, id } = await setUp();
  const one = await comment(db, { slug, userId: reader, body: 'one' });
  const two = await comment(db, { slug, userId: other, body: 'two' });
  await comment(db, { slug, userId: other, body: 'two.a', parentId: two });
  const oneA = await comment(db, { slug, userId: other, body: 'one.a', parentId: one });
  await comment(db, { slug, userId: reader, body: 'one.a.i', parentId: oneA });
  await comment(db, { slug, userId: reader, body: 'one.b', parentId: one });
  const expected = ['one', '  one.a', '    one.a.i', '  one.b', 'two', '  two.a'];
  assert.deepEqual(await showThreads(db, id), expected);
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

test('a thread has a bounded depth', async () => {
  const { reader, slug } = await setUp();
  let parentId = await comment(db, { slug, userId: reader });
  for (let depth = 1; depth <= MAX_DEPTH; depth++) {
    parentId = await comment(db, { slug, userId: reader, parentId, body: `${depth}` });
  }
  await assert.rejects(comment(db, { slug, userId: reader, parentId }), { code: 'THREAD_TOO_DEEP', field: 'parentId' });
});

test('only public articles have comments; a former slug leads to the same article', async () => {
  const { reader, slug, id } = await setUp();
  const draft = await setUp({ status: 'DRAFT' });
  await db
    .insertInto('slugRedirects')
    .values({ slug: `old-${slug}`, articleId: id })
    .execute();
  await comment(db, { slug: `old-${slug}`, userId: reader });
  assert.equal(await countComments(db, id), 1);
  for (const wrong of [draft.slug, 'no-such-article', '\u0000', 'x'.repeat(10_000)]) {
    await assert.rejects(comment(db, { slug: wrong, userId: reader }), { code: 'NOT_FOUND', field: 'slug' });
  }
});

test('an article whose author is suspended takes no comments, and a suspended person writes none', async () => {
  const { author, reader, slug, id } = await setUp();
  await comment(db, { slug, userId: reader, body: 'Spam' });
  await db.updateTable('users').set({ suspendedAt: now() }).where('id', '=', reader).execute();
  await assert.rejects(comment(db, { slug, userId: reader, body: 'More' }), { code: 'SUSPENDED' });
  assert.deepEqual(await showThreads(db, id), []);
  assert.equal(await countComments(db, id), 0);
  await db.updateTable('users').set({ suspendedAt: now() }).where('id', '=', author).execute();
  await assert.rejects(comment(db, { slug, userId: await addPerson(db) }), { code: 'NOT_FOUND' });
});

test('what a suspended person wrote takes no replies and is no answer, like what is hidden', async () => {
  const [author, reader] = [await addPerson(db), await addPerson(db)];
  const { slug } = await addArticle(db, author);
  const commentId = await comment(db, { slug, userId: reader });
  await db.updateTable('users').set({ suspendedAt: new Date() }).where('id', '=', reader).execute();
  await assert.rejects(comment(db, { slug, userId: author, parentId: commentId }), { code: 'NOT_FOUND' });
  await assert.rejects(acceptAnswer(db, { authorId: author, commentId, now: new Date() }), { code: 'NOT_FOUND' });
  assert.deepEqual(await listTold(db, reader), []);
  await db.updateTable('users').set({ suspendedAt: null }).where('id', '=', reader).execute();
  await comment(db, { slug, userId: author, parentId: commentId });
  await acceptAnswer(db, { authorId: author, commentId, now: new Date() });
  assert.equal((await listTold(db, reader)).length, 2);
});

test('comments_enabled and a lock close an article; a lock changes nothing of the article itself', async () => {
  const { author, reader, slug, id } = await setUp();
  const own = await comment(db, { slug, userId: reader });
  const before = await db
    .selectFrom('articles')
    .select(['revision', 'updatedAt', 'dispatch'])
    .where('id', '=', id)
    .execute();
  await assert.rejects(lockComments(db, { authorId: reader, slug, now: now() }), { code: 'NOT_FOUND' });
  await lockComments(db, { authorId: author, slug, now: now() });
  await assert.rejects(comment(db, { slug, userId: author, body: 'New' }), { code: 'COMMENTS_CLOSED' });
  const edit = { userId: reader, commentId: own, body: 'Other', html: '', isQuestion: false, now: now() };
  await assert.rejects(editComment(db, edit), { code: 'COMMENTS_CLOSED' });
  // The answer to a request that is sent again is the same.
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

test('a reply belongs to the article of what it answers', async () => {
  const [one, other] = [await setUp(), await setUp()];
  const parentId = await comment(db, { slug: one.slug, userId: one.reader });
  for (const wrong of [parentId, 'no-uuid', '00000000-0000-4000-8000-000000000000']) {
    const reply = comment(db, { slug: other.slug, userId: one.reader, parentId: wrong });
    await assert.rejects(reply, { code: 'NOT_FOUND', field: 'parentId' });
  }
});

test('an edit changes the writer’s own comment, says when, and notifies nobody', async () => {
  const { author, reader, slug, id } = await setUp();
  const own = await comment(db, { slug, userId: reader });
  const edit = { commentId: own, body: 'Better.', html: '<p>Better.</p>', isQuestion: true, now: now() };
  await editComment(db, { ...edit, userId: reader });
  for (const userId of [author, await addPerson(db)]) {
    await assert.rejects(editComment(db, { ...edit, userId }), { code: 'NOT_FOUND' });
  }
  const [shown] = await listComments(db, { articleId: id, viewerId: null, first: 1, after: null });
  assert.deepEqual([shown?.body, shown?.html, shown?.isQuestion], ['Better.', '<p>Better.</p>', true]);
  assert.ok(shown?.editedAt);
  assert.equal((await listTold(db, author)).length, 1);
});

test('a deleted comment leaves its place where there are replies, and goes with the last of them', async () => {
  const { author, reader, other, slug, id } = await setUp();
  const top = await comment(db, { slug, userId: reader, body: 'top' });
  const middle = await comment(db, { slug, userId: other, body: 'middle', parentId: top });
  const last = await comment(db, { slug, userId: author, body: 'last', parentId: middle });
  await assert.rejects(deleteComment(db, { userId: author, commentId: top, now: now() }), { code: 'NOT_FOUND' });
  await deleteComment(db, { userId: reader, commentId: top, now: now() });
  await deleteComment(db, { userId: other, commentId: middle, now: now() });
  await deleteComment(db, { userId: other, commentId: middle, now: now() });
  assert.deepEqual(await showThreads(db, id), ['deleted: null', '  deleted: null', '    last']);
  const erased = await db.selectFrom('comments').select(['body', 'html']).where('id', '=', top).executeTakeFirst();
  assert.deepEqual(erased, { body: '', html: '' });
  await assert.rejects(comment(db, { slug, userId: other, parentId: middle }), { code: 'NOT_FOUND' });
  await deleteComment(db, { userId: author, commentId: last, now: now() });
  const left = await db.selectFrom('comments').select('id').where('articleId', '=', id).execute();
  assert.deepEqual(left, []);
});

test('a comment is not removed from under a reply that is being written', async () => {
  const { reader, other, slug, id } = await setUp();
  const top = await comment(db, { slug, userId: reader });
  const target = { userId: reader, commentId: top, now: now() };
  const deleted = await db.transaction().execute(async (tx) => {
    await tx.insertInto('comments').values({ articleId: id, userId: other, parentId: top, body: 'Reply' }).execute();
    const deleting = deleteComment(db, target);
    await waitForLock(db);
    // Not awaited: it goes on once this transaction has committed.
    return { deleting };
  });
  await deleted.deleting;
  assert.deepEqual(await showThreads(db, id), ['deleted: null', '  Reply']);
});

test('what is deleted or hidden before anybody read of it is not announced', async () => {
  const { author, reader, slug } = await setUp();
  const one = await comment(db, { slug, userId: reader, body: 'one' });
  const two = await comment(db, { slug, userId: reader, body: 'two' });
  await deleteComment(db, { userId: reader, commentId: one, now: now() });
  await hideComment(db, { authorId: author, commentId: two, now: now() });
  assert.deepEqual(await listTold(db, author), []);
});

test('a comment that is shown again is unread again, under its number; hidden and shown in turn, it is announced once', async () => {
  const { author, reader, slug } = await setUp();
  const listener = await listenForAnnouncements(database.url);
  const id = await comment(db, { slug, userId: reader });
  const target = { authorId: author, commentId: id, now: now() };
  const told = async () => [(await listTold(db, author)).length, await countUnread(db, author)];
  for (let turn = 0; turn < 2; turn++) {
    await hideComment(db, target);
    await hideComment(db, target);
    assert.deepEqual(await told(), [0, 0]);
    await unhideComment(db, target);
    assert.deepEqual(await told(), [1, 1]);
  }
  await hideComment(db, target);
  await markRead(db, { userId: author, now: now() });
  await unhideComment(db, target);
  assert.deepEqual(await told(), [1, 1], 'what was not shown was not read');
  await markRead(db, { userId: author, now: now() });
  await hideComment(db, target);
  await unhideComment(db, target);
  assert.deepEqual(await told(), [1, 0], 'what was read stays');
  assert.equal((await listener.end()).length, 1);
});

test('an answer that was hidden and is accepted again is announced once; shown again alone it is none', async () => {
  const { author, reader, slug } = await setUp();
  const id = await comment(db, { slug, userId: reader });
  const target = { authorId: author, commentId: id, now: now() };
  const listener = await listenForAnnouncements(database.url);
  await acceptAnswer(db, target);
  await hideComment(db, target);
  await unhideComment(db, target);
  assert.deepEqual(await listTold(db, reader), []);
  await acceptAnswer(db, target);
  assert.equal((await listTold(db, reader)).length, 1);
  assert.equal((await listener.end()).length, 1);
});

test('a hidden comment that is deleted takes its notification along', async () => {
  const { author, reader, slug } = await setUp();
  const id = await comment(db, { slug, userId: reader });
  await hideComment(db, { authorId: author, commentId: id, now: now() });
  await deleteComment(db, { userId: reader, commentId: id, now: now() });
  assert.deepEqual(await db.selectFrom('notifications').select('id').where('userId', '=', author).execute(), []);
});

test('a hidden comment is shown to its writer and the article’s author alone, takes no replies and is no answer', async () => {
  const { author, reader, other, slug, id } = await setUp();
  const bad = await comment(db, { slug, userId: reader, body: 'bad' });
  const reply = await comment(db, { slug, userId: other, body: 'reply', parentId: bad });
  await acceptAnswer(db, { authorId: author, commentId: bad, now: now() });
  await assert.rejects(hideComment(db, { authorId: other, commentId: bad, now: now() }), { code: 'NOT_FOUND' });
  await hideComment(db, { authorId: author, commentId: bad, now: now() });
  await hideComment(db, { authorId: author, commentId: bad, now: now() });
  assert.deepEqual(await showThreads(db, id), ['hidden: null', '  reply']);
  assert.deepEqual(await showThreads(db, id, other), ['hidden: null', '  reply']);
  for (const viewer of [author, reader]) {
    assert.deepEqual(await showThreads(db, id, viewer), ['hidden: bad', '  reply']);
  }
  await assert.rejects(comment(db, { slug, userId: other, parentId: bad }), { code: 'NOT_FOUND' });
  await assert.rejects(acceptAnswer(db, { authorId: author, commentId: bad, now: now() }), { code: 'NOT_FOUND' });
  await hideComment(db, { authorId: author, commentId: reply, now: now() });
  assert.equal(await countComments(db, id), 0);
  await unhideComment(db, { authorId: author, commentId: bad });
  await unhideComment(db, { authorId: author, commentId: reply });
  assert.deepEqual(await showThreads(db, id), ['bad', '  reply']);
});

test('an article has one accepted answer, which its author alone moves and takes back', async () => {
  const { author, reader, other, slug, id } = await setUp();
  const [one, two] = [await comment(db, { slug, userId: reader }), await comment(db, { slug, userId: other })];
  const accepted = async () =>
    (await listComments(db, { articleId: id, viewerId: null, first: 10, after: null }))
      .filter(({ acceptedAt }) => acceptedAt !== null)
      .map((row) => row.id);
  await assert.rejects(acceptAnswer(db, { authorId: reader, commentId: one, now: now() }), { code: 'NOT_FOUND' });
  await acceptAnswer(db, { authorId: author, commentId: one, now: now() });
  assert.deepEqual(await accepted(), [one]);
  await Promise.all(
    [one, two, one, two].map((commentId) => acceptAnswer(db, { authorId: author, commentId, now: now() })),
  );
  assert.equal((await accepted()).length, 1);
  await acceptAnswer(db, { authorId: author, commentId: two, now: now() });
  assert.deepEqual(await accepted(), [two]);
  await assert.rejects(unacceptAnswer(db, { authorId: other, commentId: two }), { code: 'NOT_FOUND' });
  await unacceptAnswer(db, { authorId: author, commentId: two });
  assert.deepEqual(await accepted(), []);
  // Once each, however often the mark moved.
  for (const [person, name] of [
    [reader, 'Ada'],
    [other, 'Ada'],
  ] as const) {
    assert.deepEqual(await listTold(db, person), [{ type: 'ACCEPTED_ANSWER', actorName: name, postTitle: 'A post' }]);
  }
});

test('a comment and its notification are written together or not at all', async () => {
  const { author, reader, slug, id } = await setUp();
  // No number is left for a notification.
  await db
    .insertInto('notificationCounters')
    .values({ userId: author, lastNumber: sql`9223372036854775807` })
    .execute();
  await assert.rejects(comment(db, { slug, userId: reader }));
  assert.equal(await countComments(db, id), 0);
  assert.deepEqual(await listTold(db, author), []);
});

test('strangers who comment on the same article do not wait for each other', async () => {
  const { reader, other, slug } = await setUp();
  await db.transaction().execute(async (tx) => {
    // Somebody whose own comment is still being written.
    await tx.selectFrom('users').select('id').where('id', '=', reader).forNoKeyUpdate().execute();
    await tx.selectFrom('articles').select('id').where('slug', '=', slug).forKeyShare().execute();
    await comment(db, { slug, userId: other });
  });
});
