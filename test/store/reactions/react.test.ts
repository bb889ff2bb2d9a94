/** Reactions to articles. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Database } from '../../../store/db/database.ts';
import { countReactions, react, unreact } from '../../../store/reactions/react.ts';
import { addArticle, addPerson } from '../../support/api/readership.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';

let database: OpenTestDatabase;
let db: Database;
before(async () => {
  database = await openTestDatabase();
  db = database.db;
});
after(() => database.close());

const now = new Date();

test('a reaction counts once per user and kind, and can be removed', async () => {
  const { id, slug } = await addArticle(db, await addPerson(db));
  const [one, other] = [await addPerson(db), await addPerson(db)];
  await Promise.all(Array.from({ length: 5 }, () => react(db, { userId: one, slug, kind: 'like', now })));
  await react(db, { userId: one, slug, kind: 'insightful', now });
  await react(db, { userId: other, slug, kind: 'like', now });
  const count = async (viewerId: string | null) =>
    Object.fromEntries(
      (await countReactions(db, { articleId: id, viewerId })).map(({ kind, count, isMine }) => [kind, [count, isMine]]),
    );
  const none = { love: [0, false], celebrate: [0, false] };
  assert.deepEqual(await count(null), { like: [2, false], insightful: [1, false], ...none });
  assert.deepEqual(await count(other), { like: [2, true], insightful: [1, false], ...none });
  await unreact(db, { userId: one, slug, kind: 'like' });
  await unreact(db, { userId: one, slug, kind: 'like' });
  assert.deepEqual(await count(one), { like: [1, false], insightful: [1, true], ...none });
});

test('only public articles accept reactions, and only from users who are not suspended', async () => {
  const [author, reader] = [await addPerson(db), await addPerson(db)];
  const draft = await addArticle(db, author, { status: 'DRAFT' });
  await assert.rejects(react(db, { userId: reader, slug: draft.slug, kind: 'like', now }), {
    code: 'NOT_FOUND',
    message: 'There is no public article with this slug.',
    field: 'slug',
  });
  const { slug, id } = await addArticle(db, author);
  await react(db, { userId: reader, slug, kind: 'like', now });
  await db.updateTable('users').set({ suspendedAt: now }).where('id', '=', reader).execute();
  await assert.rejects(react(db, { userId: reader, slug, kind: 'love', now }), {
    code: 'SUSPENDED',
    message: 'This account is suspended and cannot do this. Write to the operator.',
  });
  const [like] = await countReactions(db, { articleId: id, viewerId: null });
  assert.equal(like?.count, 0);
});
