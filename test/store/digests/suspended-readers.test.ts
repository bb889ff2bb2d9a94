/** Digest and roundup ignore comments, reactions and follows of suspended users. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findWeekBefore } from '../../../store/calendar/week.ts';
import type { Database } from '../../../store/db/database.ts';
import { gatherDigestFacts } from '../../../store/digests/gather-facts.ts';
import { selectFeatured } from '../../../store/roundups/create-roundup.ts';
import { addArticle, addComment, addPerson, react } from '../../support/api/readership.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';

let database: OpenTestDatabase;
let db: Database;
before(async () => {
  database = await openTestDatabase();
  db = database.db;
});
after(() => database.close());

const AT = new Date('2026-11-19T12:00:00Z');
const suspend = (id: string) => db.updateTable('users').set({ suspendedAt: AT }).where('id', '=', id).execute();

async function setUp() {
  const author = await addPerson(db, 'Author');
  const { id: articleId } = await addArticle(db, author, { publishedAt: AT });
  return { author, articleId };
}

async function addReader({ author, articleId }: { author: string; articleId: string }, name: string) {
  const id = await addPerson(db, name);
  await react(db, articleId, id, AT);
  await db.insertInto('followers').values({ authorId: author, followerId: id, createdAt: AT }).execute();
  return id;
}

const gather = (id: string) =>
  gatherDigestFacts(db, {
    ...{ author: { id, name: 'Author', username: 'author' }, date: '2026-11-23', zone: 'UTC' },
    ...{ baseUrl: 'https://courant.example', unsubscribeUrl: 'https://courant.example/x' },
  });

test('the digest counts, names and quotes no suspended user', async () => {
  const post = await setUp();
  await addReader(post, 'Reader');
  const spammer = await addReader(post, 'Buy pills');
  for (const body of ['Buy pills?', 'Buy more?', 'Buy all?']) {
    await addComment(db, { articleId: post.articleId, userId: spammer, at: AT, body, isQuestion: true });
  }
  await suspend(spammer);
  const facts = await gather(post.author);
  assert.equal(facts.reactions.now, 1);
  assert.equal(facts.followers?.now, 1);
  assert.deepEqual(facts.newFollowers, ['Reader']);
  assert.deepEqual(facts.discussions, []);
});

test('comments of suspended users are neither counted, nor newest, nor replies', async () => {
  const { author, articleId } = await setUp();
  const [one, two, spammer] = [await addPerson(db), await addPerson(db), await addPerson(db)];
  const at = (minutes: number) => new Date(AT.getTime() + minutes * 60_000);
  const question = await addComment(db, { articleId, userId: one, at: AT, body: 'Why?', isQuestion: true });
  await addComment(db, { articleId, userId: two, at: at(1), body: 'Words' });
  await addComment(db, { articleId, userId: two, at: at(2), body: 'The newest' });
  await addComment(db, { articleId, userId: spammer, at: at(3), body: 'Spam', parentId: question, acceptedAt: at(4) });
  await suspend(spammer);
  const { discussions } = await gather(author);
  assert.deepEqual(
    discussions.map(({ reason, comments, excerpt }) => ({ reason, comments, excerpt })),
    [
      { reason: 'pending', comments: 0, excerpt: 'Why?' },
      { reason: 'engaged', comments: 3, excerpt: 'The newest' },
    ],
  );
});

test('the roundup counts neither reactions nor comments of suspended users', async () => {
  const post = await setUp();
  for (const name of ['a', 'b']) {
    const spammer = await addReader(post, name);
    await addComment(db, { articleId: post.articleId, userId: spammer, at: AT });
    await suspend(spammer);
  }
  const best = await db
    .transaction()
    .execute((tx) => selectFeatured(tx, findWeekBefore(new Date('2026-11-23T06:00:00Z'))));
  assert.deepEqual(
    best.filter(({ authorId }) => authorId === post.author),
    [],
  );
});
