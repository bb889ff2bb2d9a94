/** An ended session: every API instance rejects its tokens and ends its streams at once. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Audience } from '../../../api/auth/sessions.ts';
import { endSession, endSessions } from '../../../store/sessions/end-sessions.ts';
import { openSession } from '../../../store/sessions/open-session.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { openStream } from '../../support/api/event-stream.ts';
import { eventually } from '../../support/eventually.ts';

let api: TestApi;
let second: TestApi;
before(async () => {
  api = await startTestApi({ env: { BASE_URL: 'https://courant.example' } });
  second = await startTestApi({
    env: { BASE_URL: 'https://courant.example' },
    databaseUrl: api.databaseUrl,
    home: api.home,
  });
});
after(async () => {
  await second.close();
  await api.close();
});

async function openSessionOf(userId: string) {
  const { sessionId } = await openSession(api.db, { userId, userAgent: null, now: new Date() });
  const issue = async (audience: Audience) =>
    (await api.accounts.sessions.issue(audience, { userId, sessionId })).token;
  return { sessionId, access: await issue('courant:session'), stream: await issue('courant:stream') };
}

const getStatus = async (at: TestApi, token: string) =>
  (await fetch(`${at.url}/notifications/sse-token`, { headers: { authorization: `Bearer ${token}` } })).status;

test('every instance rejects the access and stream tokens of an ended session at once (F21)', async () => {
  const { id: userId } = await api.createAuthor('leaving');
  const [session, other] = [await openSessionOf(userId), await openSessionOf(userId)];
  assert.equal(await getStatus(second, session.access), 200);
  await endSession(api.db, { userId, sessionId: session.sessionId, now: new Date() });
  for (const instance of [api, second]) {
    assert.equal(await getStatus(instance, session.access), 401);
    assert.equal((await openStream(instance.url, session.stream)).status, 401);
    assert.equal((await openStream(instance.url, session.stream, { 'last-event-id': '0' })).status, 204);
    assert.equal(await getStatus(instance, other.access), 200, 'another session of the same user goes on');
  }
});

test('the streams of an ended session end on every instance, and other streams stay open (F21)', async () => {
  const [{ id: userId }, { id: strangerId }] = [
    await api.createAuthor('streaming'),
    await api.createAuthor('stranger'),
  ];
  const [session, other, strangers] = [
    await openSessionOf(userId),
    await openSessionOf(userId),
    await openSessionOf(strangerId),
  ];
  const mine = await Promise.all([api, second].map(({ url }) => openStream(url, session.stream)));
  const others = await Promise.all(
    [api, second].flatMap(({ url }) => [other, strangers].map(({ stream }) => openStream(url, stream))),
  );
  await eventually('all to be open', async () =>
    [...mine, ...others].every((stream) => stream.raw().includes('retry:')),
  );
  await endSession(api.db, { userId, sessionId: session.sessionId, now: new Date() });
  await Promise.all(mine.map(({ ended }) => ended));
  assert.equal(await Promise.race([...others.map(({ ended }) => ended), 'all go on']), 'all go on');
  for (const stream of others) stream.close();
});

test('streams end with their session when all sessions end, the account is deleted or the row is deleted', async () => {
  const ways = [
    (userId: string) => endSessions(api.db, { userId, now: new Date() }),
    (userId: string) => api.db.deleteFrom('users').where('id', '=', userId).execute(),
    (userId: string) => api.db.deleteFrom('sessions').where('userId', '=', userId).execute(),
  ];
  for (const [index, end] of ways.entries()) {
    const { id } = await api.createAuthor(`way-${index}`);
    const stream = await openStream(second.url, (await openSessionOf(id)).stream);
    await eventually('it to be open', async () => stream.raw().includes('retry:'));
    await end(id);
    await stream.ended;
  }
});

test('an instance that missed the end of a session ends its streams when it listens again', async () => {
  const { id: userId } = await api.createAuthor('unheard');
  const [session, other] = [await openSessionOf(userId), await openSessionOf(userId)];
  const [stream, others] = [await openStream(api.url, session.stream), await openStream(api.url, other.stream)];
  await eventually('both to be open', async () => stream.raw().includes('retry:') && others.raw().includes('retry:'));
  // Ends the session without an announcement, as if the connection were down.
  await api.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await tx.updateTable('sessions').set({ endedAt: new Date() }).where('id', '=', session.sessionId).execute();
  });
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and (query like '%listen courant_sessions%' or query = 'select 1') and pid <> pg_backend_pid()`.execute(
    api.db,
  );
  await stream.ended;
  assert.equal(await Promise.race([others.ended, 'goes on']), 'goes on');
  others.close();
});
