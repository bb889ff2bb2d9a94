/** Following authors, and the notification of a new follower. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Database } from '../../../store/db/database.ts';
import { findAudience, follow, unfollow } from '../../../store/follows/follow.ts';
import { listNotifications } from '../../support/api/comments.ts';
import { addPerson } from '../../support/api/readership.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';

let database: OpenTestDatabase;
let db: Database;
before(async () => {
  database = await openTestDatabase();
  db = database.db;
});
after(() => database.close());

const NOON = Date.parse('2026-11-21T12:00:00Z');
const at = (hours: number) => new Date(NOON + hours * 3_600_000);

async function setUp() {
  const [author, follower] = [await addPerson(db, 'Ada'), await addPerson(db, 'Bob')];
  const users = await db.selectFrom('users').select(['id', 'username']).where('id', 'in', [author, follower]).execute();
  const name = (id: string) => users.find((user) => user.id === id)?.username ?? '';
  return { author, follower, username: name(author), followerName: name(follower) };
}

test('a follower is counted and announced once, however often the request is repeated', async () => {
  const { author, follower, username } = await setUp();
  await Promise.all(Array.from({ length: 6 }, () => follow(db, { followerId: follower, username, now: at(0) })));
  assert.deepEqual(await findAudience(db, { username, viewerId: follower }), { followers: 1, isFollowed: true });
  assert.deepEqual(await findAudience(db, { username, viewerId: null }), { followers: 1, isFollowed: false });
  assert.deepEqual(await listNotifications(db, author), [{ type: 'NEW_FOLLOWER', actorName: 'Bob', postTitle: '' }]);
});

test('a repeated follow is announced once within a day, also across midnight', async () => {
  const { author, follower, username } = await setUp();
  for (const hours of [0, 1, 11.9, 12.1, 23.9]) {
    await follow(db, { followerId: follower, username, now: at(hours) });
    await unfollow(db, { followerId: follower, username });
    await unfollow(db, { followerId: follower, username });
  }
  assert.equal((await listNotifications(db, author)).length, 1);
  await follow(db, { followerId: follower, username, now: at(24.1) });
  assert.equal((await listNotifications(db, author)).length, 2);
});

test('following oneself, a suspended user or an unknown user is rejected', async () => {
  const { author, follower, username, followerName } = await setUp();
  await assert.rejects(follow(db, { followerId: follower, username: followerName, now: at(0) }), {
    code: 'OWN_PROFILE',
    message: 'You cannot follow yourself.',
    field: 'username',
  });
  await db
    .updateTable('users')
    .set({ suspendedAt: at(0) })
    .where('id', '=', author)
    .execute();
  for (const wrong of [username, 'nobody-at-all', '\u0000', 'x'.repeat(9_999)]) {
    await assert.rejects(follow(db, { followerId: follower, username: wrong, now: at(0) }), {
      code: 'NOT_FOUND',
      message: 'There is no author with this user name.',
      field: 'username',
    });
    assert.equal(await findAudience(db, { username: wrong, viewerId: null }), undefined);
  }
  await assert.rejects(follow(db, { followerId: author, username: followerName, now: at(0) }), {
    code: 'SUSPENDED',
    message: 'This account is suspended and cannot do this. Write to the operator.',
  });
});

test('an author whose account is deleted cannot be followed', async () => {
  const { author, follower, username } = await setUp();
  await db
    .updateTable('users')
    .set({ deletedAt: at(0) })
    .where('id', '=', author)
    .execute();
  await assert.rejects(follow(db, { followerId: follower, username, now: at(1) }), { code: 'NOT_FOUND' });
  assert.deepEqual(await listNotifications(db, author), []);
});

test('two users can follow each other at the same time', async () => {
  const pairs = await Promise.all(Array.from({ length: 4 }, setUp));
  await Promise.all(
    pairs.flatMap(({ author, follower, username, followerName }) => [
      follow(db, { followerId: follower, username, now: at(0) }),
      follow(db, { followerId: author, username: followerName, now: at(0) }),
    ]),
  );
  for (const { author, follower } of pairs) {
    assert.equal((await listNotifications(db, author)).length, 1);
    assert.equal((await listNotifications(db, follower)).length, 1);
  }
});
