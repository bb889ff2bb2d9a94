/** Refresh tokens: each has one successor, and reuse of an old one ends its session. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { sweepExpired } from '../../../store/operation/sweep-expired.ts';
import { endSession, endSessions } from '../../../store/sessions/end-sessions.ts';
import { openSession, openSessionByPassword } from '../../../store/sessions/open-session.ts';
import { refreshSession } from '../../../store/sessions/refresh-session.ts';
import { createRefreshToken } from '../../../store/sessions/refresh-token.ts';
import { findSessionStatus, listSessions } from '../../../store/sessions/session-status.ts';
import { createUser } from '../../../store/users/create-user.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';

const KEY = Buffer.alloc(32, 7);
const NOW = new Date('2026-11-23T10:00:00Z');
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const DAY = 24 * 3600;

let database: OpenTestDatabase;
let userId: string;
before(async () => {
  database = await openTestDatabase();
  const person = { username: 'ada', name: 'Ada', email: 'ada@example.org', passwordHash: 'x', now: NOW };
  userId = (await createUser(database.db, person)).id;
});
after(() => database.close());

const open = (now = NOW) => openSession(database.db, { userId, userAgent: 'a test', now });
const refresh = (token: string, now: Date) => refreshSession(database.db, KEY, { token, now });
const isOpen = async (sessionId: string, now: Date) =>
  (await findSessionStatus(database.db, { sessionId, userId, now })).state;

async function refreshed(token: string, now: Date): Promise<string> {
  const result = await refresh(token, now);
  assert.equal(result.kind, 'refreshed');
  return result.kind === 'refreshed' ? result.refreshToken : '';
}

test('a refresh token returns the next one, and the session continues with it', async () => {
  const { sessionId, refreshToken } = await open();
  const second = await refreshed(refreshToken, later(3600));
  assert.notEqual(second, refreshToken);
  await refreshed(second, later(7200));
  assert.equal(await isOpen(sessionId, later(7200)), 'open');
});

test('a session is open for its own user only', async () => {
  const { sessionId } = await open();
  const stranger = { sessionId, userId: randomUUID(), now: NOW };
  assert.equal(await isOpen(sessionId, NOW), 'open');
  assert.equal((await findSessionStatus(database.db, stranger)).state, 'ended');
});

test('two tabs that refresh at once get the same successor, without ending the session', async () => {
  const { sessionId, refreshToken } = await open();
  const tabs = await Promise.all(Array.from({ length: 8 }, (_, n) => refreshed(refreshToken, later(3600 + n))));
  assert.equal(new Set(tabs).size, 1);
  const rows = await database.db
    .selectFrom('refreshTokens')
    .where('sessionId', '=', sessionId)
    .select('sessionId')
    .execute();
  assert.equal(rows.length, 2);
  await refreshed(tabs[0] ?? '', later(7200));
});

test('a request repeated within a minute gets the same response', async () => {
  const { refreshToken } = await open();
  const first = await refreshed(refreshToken, later(10));
  assert.equal(await refreshed(refreshToken, later(69)), first);
});

test('a tab that is several tokens behind gets the newest and can use it', async () => {
  const { sessionId, refreshToken } = await open();
  const second = await refreshed(refreshToken, later(0));
  const third = await refreshed(second, later(4));
  assert.equal(await refreshed(refreshToken, later(8)), third);
  await refreshed(third, later(3600));
  assert.equal(await isOpen(sessionId, later(3600)), 'open');
});

test('a suspended user keeps the refresh token and can use it once the suspension is lifted', async () => {
  const suspend = (suspendedAt: Date | null) =>
    database.db.updateTable('users').set({ suspendedAt }).where('id', '=', userId).execute();
  const { refreshToken } = await open();
  await suspend(NOW);
  assert.deepEqual(await refresh(refreshToken, later(10)), { kind: 'suspended' });
  await suspend(null);
  await refreshed(refreshToken, later(3600));
});

test('reuse of a token replaced earlier ends its session, including the successor', async () => {
  const { sessionId, refreshToken } = await open();
  const other = await open();
  const successor = await refreshed(refreshToken, later(3600));
  assert.deepEqual(await refresh(refreshToken, later(3661)), { kind: 'reused' });
  assert.equal(await isOpen(sessionId, later(3661)), 'ended');
  assert.deepEqual(await refresh(successor, later(3662)), { kind: 'unknown' });
  assert.equal(await isOpen(other.sessionId, later(3662)), 'open', 'the other sessions of its user go on');
});

test('a thief who refreshes first is detected when the owner refreshes, and the reverse', async () => {
  const { refreshToken } = await open();
  const thiefs = await refreshed(refreshToken, later(100));
  await refreshed(thiefs, later(200));
  assert.equal((await refresh(refreshToken, later(300))).kind, 'reused');
  assert.equal((await refresh(thiefs, later(301))).kind, 'unknown');
});

test('a malformed or unissued refresh token is unknown', async () => {
  for (const token of ['', 'x', 'courant_refresh_', createRefreshToken(), `${createRefreshToken()}\0`, 'é'.repeat(50)])
    assert.deepEqual(await refresh(token, NOW), { kind: 'unknown' }, token);
});

test('a session ends after thirty days without a refresh, and continues with one', async () => {
  const { sessionId, refreshToken } = await open();
  const second = await refreshed(refreshToken, later(29 * DAY));
  assert.equal(await isOpen(sessionId, later(58 * DAY)), 'open');
  assert.equal(await isOpen(sessionId, later(60 * DAY)), 'ended');
  assert.deepEqual(await refresh(second, later(60 * DAY)), { kind: 'unknown' });
});

test('an account can have a hundred sessions, all listed; signing in again ends the least recently used one', async () => {
  await endSessions(database.db, { userId, now: NOW });
  const first = await open();
  const second = await open(later(1));
  for (let n = 2; n < 100; n++) await open(later(n));
  await refreshed(first.refreshToken, later(100));
  const login = (seconds: number) => {
    const session = { userId, passwordHash: 'x', userAgent: null, now: later(seconds) };
    return openSessionByPassword(database.db, session);
  };
  const newest = await login(101);
  assert.equal(await isOpen(second.sessionId, later(101)), 'ended');
  assert.equal(await isOpen(first.sessionId, later(101)), 'open');
  const listed = (await listSessions(database.db, userId, later(101))).map(({ id }) => id);
  assert.deepEqual([listed.length, listed[0]], [100, newest?.sessionId]);
});

test('ending sessions affects one user only, and leaves the excepted session open', async () => {
  await endSessions(database.db, { userId, now: NOW });
  const [first, second, third] = [await open(), await open(), await open()];
  assert.equal(await endSession(database.db, { userId, sessionId: first.sessionId, now: NOW }), true);
  assert.equal(await endSession(database.db, { userId, sessionId: first.sessionId, now: NOW }), false, 'once');
  assert.equal(await endSession(database.db, { userId, sessionId: "' or 1=1", now: NOW }), false);
  const stranger = { userId: '00000000-0000-4000-8000-000000000000', sessionId: second.sessionId, now: NOW };
  assert.equal(await endSession(database.db, stranger), false);
  assert.equal(await endSessions(database.db, { userId, except: third.sessionId, now: NOW }), 1);
  const remaining = await listSessions(database.db, userId, NOW);
  assert.deepEqual(
    remaining.map(({ id, userAgent }) => [id, userAgent]),
    [[third.sessionId, 'a test']],
  );
});

test('ended sessions are deleted a month later, and open ones stay', async () => {
  const [ended, refreshedSession] = [await open(), await open()];
  await endSession(database.db, { userId, sessionId: ended.sessionId, now: NOW });
  await refreshed(refreshedSession.refreshToken, later(29 * DAY));
  const ids = async () =>
    (
      await database.db
        .selectFrom('sessions')
        .select('id')
        .where('id', 'in', [ended.sessionId, refreshedSession.sessionId])
        .execute()
    )
      .map(({ id }) => id)
      .toSorted();
  await sweepExpired(database.db, 'sessions', later(29 * DAY));
  assert.equal((await ids()).length, 2);
  await sweepExpired(database.db, 'sessions', later(31 * DAY));
  assert.deepEqual(await ids(), [refreshedSession.sessionId]);
});
