/** An ended session: every API instance rejects its tokens and ends its streams at once. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Audience } from '../../../api/auth/sessions.ts';
import { endSession, endSessions } from '../../../store/sessions/end-sessions.ts';
import { openSession } from '../../../store/sessions/open-session.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { openStream } from '../../support/api/event-stream.ts';
import { hashCheaply } from '../../support/api/passwords.ts';
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

const PUBLISHES_ONLY =
  'A developer token can only publish articles (POST /api/v1/articles). Sign in, and send the access token of the session instead.';

test('a request without a valid session token gets a challenge and the next step', async () => {
  const { token } = await api.createAuthor('challenged');
  const ended = 'The session has ended, or the token is expired or invalid here. Sign in again.';
  const details: [authorization: string | undefined, detail: string][] = [
    [undefined, 'Sign in first: send a session token as a bearer token.'],
    ['Bearer nonsense', ended],
    ['Basic dXNlcjpwYXNz', ended],
    [`bearer  ${token}`, PUBLISHES_ONLY],
  ];
  for (const [authorization, detail] of details) {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const answer = await fetch(`${api.url}/notifications/sse-token`, { headers });
    const { requestId: _, ...problem } = (await answer.json()) as { requestId: string };
    assert.deepEqual(problem, {
      ...{ success: false, type: 'urn:courant:problem:unauthenticated', title: 'Unauthorized', status: 401 },
      ...{ detail, code: 'unauthenticated', errors: [] },
    });
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer realm="courant"');
  }
});

test('a publish without a valid developer token gets a challenge; after 60 a minute its network must wait', async () => {
  await api.db.deleteFrom('rateCounters').execute();
  const publish = async (authorization?: string) => {
    const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) };
    const answer = await fetch(`${api.url}/api/v1/articles`, { method: 'POST', headers, body: '{}' });
    const { code, detail } = (await answer.json()) as { code: string; detail: string };
    return [answer.status, code, detail, answer.headers.get('www-authenticate')];
  };
  const missing = [
    'missing_token',
    'Send a developer token: Authorization: Bearer courant_…',
    'Bearer realm="courant"',
  ];
  const invalid = [
    ...['invalid_token', 'The token is unknown, revoked or expired. Create a new one in your settings.'],
    'Bearer realm="courant", error="invalid_token"',
  ];
  assert.deepEqual(await publish(), [401, ...missing]);
  for (const authorization of ['Basic dXNlcjpwYXNz', 'Bearer', 'Bearer a b', 'Bearer a,b', 'xBearer a'])
    assert.deepEqual(await publish(authorization), [401, ...missing], authorization);
  const tokens = [`courant_${'0'.repeat(48)}`, 'nonsense', `courant_${'0'.repeat(49)}`];
  for (const token of tokens) assert.deepEqual(await publish(` Bearer   ${token} `), [401, ...invalid], token);
  for (let n = 0; n < 51; n++) await publish();
  const refused = await fetch(`${api.url}/api/v1/articles`, { method: 'POST' });
  assert.equal(refused.status, 429);
  const { code, detail } = (await refused.json()) as { code: string; detail: string };
  assert.deepEqual([code, detail], ['too_many_refusals', 'Too many requests with invalid tokens.']);
  const seconds = Number(refused.headers.get('retry-after'));
  assert.ok(seconds > 30 && seconds <= 60, `${seconds}`);
  const { token } = await api.createAuthor('beside-refusals');
  assert.equal((await publish(`Bearer ${token}`))[0], 422, 'a valid token is not limited by the failures of others');
});

test('the User-Agent of a session is one line of at most 200 characters', async () => {
  const { id } = await api.createAuthor('named-client');
  const email = 'named-client@example.org';
  await api.db
    .updateTable('users')
    .set({ passwordHash: await hashCheaply('a long password') })
    .where('id', '=', id)
    .execute();
  for (const [userAgent, stored] of [
    ['x'.repeat(250), 'x'.repeat(200)],
    ['a  b', 'a b'],
    ['', null],
  ] as const) {
    const body = new URLSearchParams({ email, password: 'a long password' });
    const headers = { 'user-agent': userAgent, 'sec-fetch-site': 'same-origin' };
    const answer = await fetch(`${api.url}/login`, { method: 'POST', body, headers, redirect: 'manual' });
    assert.equal(answer.status, 303);
    const session = api.db.selectFrom('sessions').select('userAgent').where('userId', '=', id);
    const [latest] = await session.orderBy('createdAt', 'desc').limit(1).execute();
    assert.equal(latest?.userAgent, stored);
    // The site has TLS: the session cookie is bound to its host, and a script sees only the second one.
    const cookies = answer.headers
      .getSetCookie()
      .map((line) => line.replace(/=[^;]+/, '=…').replace(/Expires=[^;]+/, 'Expires=…'));
    assert.deepEqual(cookies, [
      '__Host-courant_session=…; Path=/; Expires=…; HttpOnly; Secure; SameSite=Lax',
      'courant_signed_in=…; Path=/; Expires=…; Secure; SameSite=Lax',
    ]);
  }
});
