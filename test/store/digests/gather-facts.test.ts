/** The facts of a digest: counts, names and discussions of its days. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Database } from '../../../store/db/database.ts';
import { gatherDigestFacts, isQuietPeriod } from '../../../store/digests/gather-facts.ts';
import { changeDigestSettings } from '../../../store/digests/settings.ts';
import { changePreference } from '../../../store/notifications/preferences.ts';
import { addPageView } from '../../support/add-page-view.ts';
import { addArticle, addComment, addPerson, react } from '../../support/api/readership.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';

let database: OpenTestDatabase;
let db: Database;
before(async () => {
  database = await openTestDatabase();
  db = database.db;
});
after(() => database.close());

/** In Auckland the 23rd begins at 11:00 UTC on the 22nd. */
const ZONE = 'Pacific/Auckland';
const DATE = '2026-11-23';

async function authorInAuckland(): Promise<string> {
  const id = await addPerson(db, 'Kiri\r\nBcc: v@x');
  await changeDigestSettings(db, { userId: id, change: { zone: ZONE }, now: new Date() });
  return id;
}

const gather = (id: string) =>
  gatherDigestFacts(db, {
    author: { id, name: 'Kiri\r\nBcc: v@x', username: 'kiri' },
    date: DATE,
    zone: ZONE,
    baseUrl: 'https://courant.example',
    unsubscribeUrl: 'https://courant.example/digest/unsubscribe?token=t',
  });

test('counts cover the last seven whole days in the author’s zone, and the seven before', async () => {
  const author = await authorInAuckland();
  const reader = await addPerson(db, 'Reader');
  const { id: articleId } = await addArticle(db, author, { title: 'Read' });
  for (const [at, views] of [
    ['2026-11-22T10:59:00Z', 1],
    ['2026-11-15T11:00:00Z', 10],
    // Today in Auckland, which belongs to the next digest.
    ['2026-11-22T11:00:00Z', 100],
    ['2026-11-15T10:59:00Z', 1_000],
    ['2026-11-08T11:00:00Z', 10_000],
    ['2026-11-08T10:59:00Z', 100_000],
  ] as const) {
    await addPageView(db, { articleId, views, readingSeconds: views * 2, now: new Date(at) });
  }
  await react(db, articleId, reader, new Date('2026-11-22T10:59:59Z'));
  await react(db, articleId, author, new Date('2026-11-22T10:59:59Z'));
  await react(db, articleId, await addPerson(db), new Date('2026-11-22T11:00:00Z'));
  await react(db, articleId, await addPerson(db), new Date('2026-11-15T10:59:00Z'));

  const content = await gather(author);
  assert.deepEqual(content.period, { from: '2026-11-16', to: '2026-11-22', zone: ZONE });
  assert.deepEqual(content.views, { now: 11, before: 11_000 });
  assert.deepEqual(content.readingSeconds, { now: 22, before: 22_000 });
  assert.deepEqual(content.reactions, { now: 1, before: 1 });
  assert.equal(content.articles.length, 1);
  assert.deepEqual(content.articles[0]?.views, { now: 11, before: 11_000 });
});

test('names and titles are not changed; the mail cleans them', async () => {
  const author = await authorInAuckland();
  const { id } = await addArticle(db, author, { title: 'Hi\r\nBcc: v@x' });
  await addPageView(db, { articleId: id, views: 1, readingSeconds: 1, now: new Date('2026-11-20T00:00:00Z') });
  const content = await gather(author);
  assert.equal(content.author.name, 'Kiri\r\nBcc: v@x');
  assert.equal(content.articles[0]?.title, 'Hi\r\nBcc: v@x');
});

test('the five most read articles are listed, the most read first; drafts count but are not listed', async () => {
  const author = await authorInAuckland();
  for (let views = 1; views <= 7; views++) {
    const { id } = await addArticle(db, author, {
      title: `Views ${views}`,
      status: views === 7 ? 'DRAFT' : 'PUBLISHED',
    });
    await addPageView(db, { articleId: id, views, readingSeconds: 0, now: new Date('2026-11-20T00:00:00Z') });
  }
  const content = await gather(author);
  assert.equal(content.views.now, 28);
  assert.deepEqual(
    content.articles.map(({ title }) => title),
    ['Views 6', 'Views 5', 'Views 4', 'Views 3', 'Views 2'],
  );
});

test('new followers and confirmed subscribers are counted; the newest five followers are named', async () => {
  const author = await authorInAuckland();
  for (let day = 9; day <= 22; day++) {
    const followerId = await addPerson(db, `Follower ${day}`);
    const createdAt = new Date(Date.UTC(2026, 10, day, 5));
    await db.insertInto('followers').values({ authorId: author, followerId, createdAt }).execute();
  }
  const at = new Date('2026-11-20T00:00:00Z');
  await db
    .insertInto('newsletterSubscribers')
    .values([
      { authorId: author, email: 'stays@example.org', confirmedAt: at },
      { authorId: author, email: 'left@example.org', confirmedAt: at, unsubscribedAt: at },
      { authorId: author, email: 'unconfirmed@example.org', createdAt: at },
      { authorId: author, email: 'before@example.org', confirmedAt: new Date('2026-11-10T00:00:00Z') },
    ])
    .execute();
  const content = await gather(author);
  assert.deepEqual(content.followers, { now: 7, before: 7 });
  assert.deepEqual(content.subscribers, { now: 1, before: 1 });
  assert.deepEqual(
    content.newFollowers,
    [22, 21, 20, 19, 18].map((day) => `Follower ${day}`),
  );
});

test('open questions of other users are listed, but not answered, accepted, deleted, old or own ones', async () => {
  const author = await authorInAuckland();
  const reader = await addPerson(db, 'Asker');
  const { id: articleId, slug } = await addArticle(db, author, { title: 'Asked' });
  const at = new Date('2026-11-12T00:00:00Z');
  const addQuestion = (more: Partial<Parameters<typeof addComment>[1]> = {}) =>
    addComment(db, { articleId, userId: reader, at, isQuestion: true, body: 'Why?', ...more });
  const waiting = await addQuestion({ body: `Why\r\n<b>is</b> it ${'so long '.repeat(40)}?` });
  await addComment(db, { articleId, userId: reader, at, parentId: waiting });
  await addComment(db, { articleId, userId: author, at, parentId: await addQuestion() });
  await addComment(db, { articleId, userId: reader, at, parentId: await addQuestion(), acceptedAt: at });
  await addQuestion({ deletedAt: at });
  await addQuestion({ userId: author });
  await addQuestion({ at: new Date('2026-10-01T00:00:00Z') });
  await addQuestion({ at: new Date('2026-11-22T11:00:00Z') });
  await addQuestion({ isQuestion: false });
  // A deleted answer does not count.
  const again = await addQuestion({ at: new Date('2026-11-13T00:00:00Z') });
  await addComment(db, { articleId, userId: author, at, parentId: again, deletedAt: at });

  const { discussions } = await gather(author);
  assert.deepEqual(
    discussions.map(({ url }) => url),
    [again, waiting].map((id) => `https://courant.example/${slug}#comment-${id}`),
  );
  const [, first] = discussions;
  assert.equal(first?.reason, 'pending');
  assert.equal(first?.comments, 1);
  assert.ok(first && first.excerpt.length <= 160 && first.excerpt.endsWith('…') && !/[\r\n]/.test(first.excerpt));
});

test('replies deeper in a thread count: those of the author, accepted ones, and others in the count', async () => {
  const author = await authorInAuckland();
  const [asker, helper] = [await addPerson(db, 'Asker'), await addPerson(db, 'Helper')];
  const { id: articleId, slug } = await addArticle(db, author, { title: 'Deep' });
  const at = new Date('2026-11-18T00:00:00Z');
  const addReply = (userId: string, parentId?: string, more: Partial<Parameters<typeof addComment>[1]> = {}) =>
    addComment(db, { articleId, userId, at, ...(parentId ? { parentId } : { isQuestion: true }), ...more });
  // A reply to a reply, by the author.
  await addReply(author, await addReply(helper, await addReply(asker)));
  // An accepted reply to a reply.
  await addReply(helper, await addReply(asker, await addReply(asker)), { acceptedAt: at });
  // Under a reply that was deleted.
  await addReply(author, await addReply(helper, await addReply(asker), { deletedAt: at }));
  const waiting = await addReply(asker, undefined, { at: new Date('2026-11-17T00:00:00Z') });
  await addReply(helper, await addReply(asker, await addReply(helper, waiting)));
  // A question within a thread is pending too. The author's reply above it does not answer it.
  const nested = await addReply(asker, await addReply(author, await addReply(asker)), { isQuestion: true });

  const { discussions } = await gather(author);
  const pending = discussions.filter(({ reason }) => reason === 'pending');
  assert.deepEqual(
    pending.map(({ url, comments }) => [url, comments]),
    [
      [`https://courant.example/${slug}#comment-${nested}`, 0],
      [`https://courant.example/${slug}#comment-${waiting}`, 3],
    ],
  );
});

test('an answered question is not pending again after thanks, but is if its answer is deleted', async () => {
  const author = await authorInAuckland();
  const asker = await addPerson(db, 'Asker');
  const { id: articleId } = await addArticle(db, author);
  const at = new Date('2026-11-18T00:00:00Z');
  const question = await addComment(db, { articleId, userId: asker, at, isQuestion: true });
  const middle = await addComment(db, { articleId, userId: asker, at, parentId: question });
  const answer = await addComment(db, { articleId, userId: author, at, parentId: middle });
  await addComment(db, { articleId, userId: asker, at, parentId: answer, body: 'Thank you.' });
  assert.equal(
    (await gather(author)).discussions.some(({ reason }) => reason === 'pending'),
    false,
  );
  await db.updateTable('comments').set({ deletedAt: at }).where('id', '=', answer).execute();
  assert.equal(
    (await gather(author)).discussions.some(({ reason }) => reason === 'pending'),
    true,
  );
});

test('an article with comments of several people is listed; those of one person or of the author do not count', async () => {
  const author = await authorInAuckland();
  const people = [await addPerson(db), await addPerson(db)];
  const at = new Date('2026-11-18T00:00:00Z');
  const addDiscussion = async (title: string, speakers: (string | undefined)[]) => {
    const { id: articleId } = await addArticle(db, author, { title });
    for (const userId of speakers) await addComment(db, { articleId, userId: userId ?? '', at, body: title });
  };
  await addDiscussion('Lively', [people[0], people[1], people[0]]);
  await addDiscussion('Livelier', [people[0], people[1], people[0], people[1]]);
  await addDiscussion('Monologue', [people[0], people[0], people[0], people[0]]);
  await addDiscussion('Mostly the author', [author, author, people[0], people[1]]);
  const { discussions } = await gather(author);
  assert.deepEqual(
    discussions.map(({ title, reason, comments, url }) => [title, reason, comments, url.endsWith('#comments')]),
    [
      ['Livelier', 'engaged', 4, true],
      ['Lively', 'engaged', 3, true],
    ],
  );
});

test('there are at most five discussions; two places are reserved for busy ones', async () => {
  const author = await authorInAuckland();
  const people = [await addPerson(db), await addPerson(db)];
  const at = new Date('2026-11-18T00:00:00Z');
  for (let n = 0; n < 3; n++) {
    const { id: articleId } = await addArticle(db, author);
    for (const userId of [...people, ...people]) await addComment(db, { articleId, userId, at, isQuestion: true });
  }
  const { discussions } = await gather(author);
  assert.deepEqual(
    discussions.map(({ reason }) => reason),
    ['pending', 'pending', 'pending', 'engaged', 'engaged'],
  );
});

test('five questions are listed if no discussion is busy', async () => {
  const author = await authorInAuckland();
  const asker = await addPerson(db);
  const at = new Date('2026-11-18T00:00:00Z');
  for (let n = 0; n < 6; n++) {
    await addComment(db, { articleId: (await addArticle(db, author)).id, userId: asker, at, isQuestion: true });
  }
  assert.deepEqual(
    (await gather(author)).discussions.map(({ reason }) => reason),
    Array(5).fill('pending'),
  );
});

test('a week without events is not news, whatever happened the week before', async () => {
  const author = await authorInAuckland();
  const { id: articleId } = await addArticle(db, author);
  await addPageView(db, { articleId, views: 500, readingSeconds: 1, now: new Date('2026-11-12T00:00:00Z') });
  const before = await gather(author);
  assert.equal(before.views.before, 500);
  assert.equal(isQuietPeriod(before), true);
  await addPageView(db, { articleId, views: 1, readingSeconds: 0, now: new Date('2026-11-18T00:00:00Z') });
  assert.equal(isQuietPeriod(await gather(author)), false);
});

test('hidden comments, and comments of an article that has turned them off, are not discussions', async () => {
  const author = await authorInAuckland();
  const [one, two] = [await addPerson(db), await addPerson(db)];
  const at = new Date('2026-11-18T00:00:00Z');
  const { id: articleId } = await addArticle(db, author);
  const ids: string[] = [];
  for (const userId of [one, two, one]) ids.push(await addComment(db, { articleId, userId, at, isQuestion: true }));
  assert.equal((await gather(author)).discussions.length, 4);
  await db.updateTable('articles').set({ commentsEnabled: false }).where('id', '=', articleId).execute();
  assert.deepEqual((await gather(author)).discussions, []);
  await db.updateTable('articles').set({ commentsEnabled: true }).where('id', '=', articleId).execute();
  await db.updateTable('comments').set({ hiddenAt: at }).where('id', 'in', ids).execute();
  assert.deepEqual((await gather(author)).discussions, []);
});

test('an author can exclude followers and discussions from the digest', async () => {
  const author = await authorInAuckland();
  const [one, two] = [await addPerson(db), await addPerson(db)];
  const at = new Date('2026-11-18T00:00:00Z');
  const { id: articleId } = await addArticle(db, author);
  for (const userId of [one, two, one]) await addComment(db, { articleId, userId, at });
  await db.insertInto('followers').values({ authorId: author, followerId: one, createdAt: at }).execute();
  assert.equal(isQuietPeriod(await gather(author)), false);
  for (const type of ['NEW_FOLLOWER', 'NEW_COMMENT'] as const) {
    await changePreference(db, { userId: author, type, digest: false });
  }
  const facts = await gather(author);
  assert.deepEqual([facts.followers, facts.newFollowers, facts.discussions], [null, [], []]);
  assert.equal(isQuietPeriod(facts), true);
});
