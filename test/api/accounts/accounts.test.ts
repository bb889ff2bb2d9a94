/** Accounts and sessions over GraphQL. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { startTestApi, type TestApi } from '../../support/api/api.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi();
});
after(() => api.close());

const PASSWORD = 'correct horse battery';
const TOKENS = '{ accessToken refreshToken expiresAt }';

interface Tokens {
  accessToken: string;
  refreshToken: string;
  expiresAt: string;
}

async function send(query: string, variables: object = {}, session?: string) {
  const response = await fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Tester/1.0\u00e9',
      ...(session && { authorization: `Bearer ${session}` }),
    },
    body: JSON.stringify({ query, variables }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the fields of its query
  const body = (await response.json()) as { data?: any; code?: string; errors?: { extensions: { code: string } }[] };
  return { status: response.status, data: body.data, code: body.code ?? body.errors?.[0]?.extensions.code };
}

async function register(username: string): Promise<Tokens> {
  const { data, code } = await send(
    `mutation ($username: String!, $email: String!, $password: String!) {
      register(username: $username, name: "Somebody", email: $email, password: $password) ${TOKENS} }`,
    { username, email: `${username}@example.org`, password: PASSWORD },
  );
  assert.equal(code, undefined);
  return data.register;
}

async function login(username: string, password = PASSWORD): Promise<Tokens> {
  const query = `mutation ($email: String!, $password: String!) { login(email: $email, password: $password) ${TOKENS} }`;
  const { data, code } = await send(query, { email: `${username}@example.org`, password });
  assert.equal(code, undefined);
  return data.login;
}

const refresh = (refreshToken: string) =>
  send(`mutation ($token: String!) { refreshSession(refreshToken: $token) ${TOKENS} }`, { token: refreshToken });
const isSignedIn = async ({ accessToken }: Tokens) =>
  (await send('{ me { username } }', {}, accessToken)).status === 200;

test('registration opens a session, and the address is not confirmed yet', async () => {
  const { accessToken, expiresAt } = await register('newcomer');
  const { data } = await send('{ me { username name email emailConfirmed } }', {}, accessToken);
  assert.deepEqual(data.me, {
    username: 'newcomer',
    name: 'Somebody',
    email: 'newcomer@example.org',
    emailConfirmed: false,
  });
  const inMs = Date.parse(expiresAt) - Date.now();
  assert.ok(inMs > 3_000_000 && inMs <= 3_600_000, `${inMs}`);
});

test('a refresh needs no access token, and neither token is accepted as the other', async () => {
  const tokens = await register('refreshing');
  const { data } = await refresh(tokens.refreshToken);
  assert.ok(await isSignedIn(data.refreshSession));
  assert.ok(await isSignedIn(tokens), 'the earlier access token lives as long as its session and its hour');
  assert.equal((await send('{ me { username } }', {}, tokens.refreshToken)).status, 401);
  assert.equal((await refresh(tokens.accessToken)).code, 'UNAUTHENTICATED');
});

test('two tabs that refresh at once both get valid tokens', async () => {
  const { refreshToken } = await register('two-tabs');
  const tabs = await Promise.all([refresh(refreshToken), refresh(refreshToken)]);
  for (const { data } of tabs) assert.ok(await isSignedIn(data.refreshSession));
});

test('a refresh token that was replaced more than a minute ago ends the session and its access tokens at once', async () => {
  const tokens = await register('stolen');
  const { data } = await refresh(tokens.refreshToken);
  await api.db
    .updateTable('refreshTokens')
    .set({ replacedAt: new Date(Date.now() - 60_000) })
    .where('replacedAt', 'is not', null)
    .execute();
  assert.equal((await refresh(tokens.refreshToken)).code, 'UNAUTHENTICATED');
  assert.equal((await refresh(data.refreshSession.refreshToken)).code, 'UNAUTHENTICATED');
  for (const each of [tokens, data.refreshSession]) assert.equal(await isSignedIn(each), false);
});

test('sessions can be listed, revoked individually and ended all at once', async () => {
  const first = await register('devices');
  const [second, third] = [await login('devices'), await login('devices')];
  const { data } = await send('{ sessions { id current userAgent lastUsedAt } }', {}, third.accessToken);
  assert.equal(data.sessions.length, 3);
  assert.deepEqual(data.sessions.map(({ current }: { current: boolean }) => current).toSorted(), [false, false, true]);
  assert.match(data.sessions[0].userAgent, /^Tester\/1\.0/);
  const current = data.sessions.find(({ current }: { current: boolean }) => current);
  const revoke = (id: string, { accessToken }: Tokens) =>
    send('mutation ($id: ID!) { revokeSession(id: $id) }', { id }, accessToken);
  assert.equal((await revoke(current.id, second)).data.revokeSession, true);
  assert.equal((await revoke(current.id, second)).data.revokeSession, false);
  assert.equal((await revoke('nonsense', second)).data.revokeSession, false);
  assert.deepEqual(await Promise.all([first, second, third].map(isSignedIn)), [true, true, false]);
  assert.equal((await send('mutation { logout }', {}, second.accessToken)).data.logout, true);
  assert.deepEqual(await Promise.all([first, second].map(isSignedIn)), [true, false]);
  await login('devices');
  assert.equal((await send('mutation { logoutEverywhere }', {}, first.accessToken)).data.logoutEverywhere, true);
  const open = await api.db
    .selectFrom('sessions')
    .select('id')
    .where('endedAt', 'is', null)
    .where('userAgent', 'like', 'Tester%')
    .where('userId', 'in', (eb) => eb.selectFrom('users').select('id').where('username', '=', 'devices'))
    .execute();
  assert.deepEqual(open, []);
});

test('changing a password requires the current one, ends the other sessions and mails the owner', async () => {
  const mine = await register('careful');
  const other = await login('careful');
  const change = (currentPassword: string, newPassword: string) =>
    send(
      'mutation ($a: String!, $b: String!) { changePassword(currentPassword: $a, newPassword: $b) }',
      { a: currentPassword, b: newPassword },
      mine.accessToken,
    );
  assert.equal((await change('wrong', 'a quite new password')).code, 'WRONG_PASSWORD');
  assert.equal((await change(PASSWORD, 'careful@example.org')).code, 'WEAK_PASSWORD');
  assert.equal((await change(PASSWORD, 'a quite new password')).data.changePassword, true);
  assert.deepEqual(await Promise.all([mine, other].map(isSignedIn)), [true, false]);
  assert.equal((await refresh(other.refreshToken)).code, 'UNAUTHENTICATED');
  await login('careful', 'a quite new password');
  const mails = await api.db
    .selectFrom('mails')
    .select('kind')
    .where('email', '=', 'careful@example.org')
    .orderBy('createdAt')
    .execute();
  assert.deepEqual(
    mails.map(({ kind }) => kind),
    ['confirm_email', 'password_changed'],
  );
});

test('an account can change its password ten times a day, which limits the mails to its address', async () => {
  const { accessToken } = await register('restless');
  const change = async (n: number) => {
    const [from, to] = [n === 0 ? PASSWORD : `a new password ${n}`, `a new password ${n + 1}`];
    const query = `mutation { changePassword(currentPassword: "${from}", newPassword: "${to}") }`;
    return (await send(query, {}, accessToken)).code ?? 'changed';
  };
  const answers: string[] = [];
  for (let n = 0; n < 11; n++) answers.push(await change(n));
  assert.deepEqual(answers, [...Array(10).fill('changed'), 'RATE_LIMITED']);
});

test('a reset request gets the same response whether or not the address has an account', async () => {
  await register('known');
  const requestReset = (email: string) =>
    send('mutation ($email: String!) { requestPasswordReset(email: $email) }', { email });
  assert.deepEqual(await requestReset('known@example.org'), await requestReset('unknown@example.org'));
  assert.equal(
    (await send('mutation { resetPassword(token: "m1.x", password: "a quite new password") }')).code,
    'LINK_INVALID',
  );
  assert.equal((await send('mutation { confirmEmail(token: "") }')).code, 'LINK_INVALID');
});

test('no row contains a password or a refresh token in plain text', async () => {
  const { refreshToken } = await register('secretive');
  const { rows } = await sql<{ dump: string }>`
    select string_agg(t::text, ' ') as dump from (select u::text from users u union all select s::text from sessions s
      union all select r::text from refresh_tokens r union all select m::text from mails m) as t`.execute(api.db);
  const dump = rows[0]?.dump ?? '';
  assert.ok(dump.includes('secretive'));
  assert.equal(dump.includes(PASSWORD) || dump.includes(refreshToken), false);
});
