/** Logging in and out against a scripted server: what is sent, stored and printed. */
import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { test } from 'node:test';
import { readCredentials } from '../../../cli/credentials/credentials-file.ts';
import { TOKEN } from '../cli-home.ts';
import { ACCESS_TOKEN, assertLines, openCli, withSession } from '../in-process.ts';

const PASSWORD = ['login', '--email', ' ada@example.org ', '--password-stdin'];
const NAME = `courant on ${hostname()}`.slice(0, 60);
const answers = {
  'Login(': { data: { login: { accessToken: ACCESS_TOKEN, refreshToken: 'r2' } } },
  createDeveloperToken: { data: { createDeveloperToken: { id: 't1', token: TOKEN } } },
  developerTokens: { data: { developerTokens: [{ id: 't1', isExpired: false }] } },
  revokeDeveloperToken: { data: { revokeDeveloperToken: true } },
  logout: { data: { logout: true } },
};

test('a login with a password stores a session and a token for publishing', async (t) => {
  const { run, calls, folder, endpoint, origin } = await openCli(t, answers);
  const { code, stdout, stderr } = await run([...PASSWORD, '--endpoint', endpoint], { input: 'secret \r\n' });
  assert.equal(code, 0, stderr);
  assertLines(stdout, ['Logged in as ada@example.org. The session is stored in <folder>/credentials.json.']);
  assertLines(stderr, [
    'Log in at <server>',
    `Created the developer token "${NAME}" for publishing. "courant logout" revokes it.`,
  ]);
  assert.deepEqual(
    calls.map(({ variables }) => variables),
    [{ email: 'ada@example.org', password: 'secret ' }, { name: NAME }],
  );
  const session = { accessToken: ACCESS_TOKEN, refreshToken: 'r2', email: 'ada@example.org', endpoint };
  assert.deepEqual(await readCredentials({ configFolder: folder }), {
    origins: { [origin]: { developerToken: TOKEN, developerTokenId: 't1', session } },
    endpoint,
  });
  // The token of the first login is still valid.
  calls.length = 0;
  const again = await run([...PASSWORD], { input: 'secret' });
  assertLines(again.stderr, ['Log in at <server>']);
  assert.deepEqual(
    calls.map(({ query }) => /Login|logout|developerTokens|create/.exec(query)?.[0]),
    ['Login', 'developerTokens'],
  );
  // A logout revokes it and ends the session.
  calls.length = 0;
  const out = await run(['logout']);
  assert.equal(out.code, 0);
  assertLines(out.stdout, ['Removed the stored credentials (<folder>/credentials.json).']);
  assertLines(out.stderr, ['Ended the session at <server> and revoked its token.']);
  assert.deepEqual(
    calls.map(({ query, variables }) => [/revokeDeveloperToken|logout/.exec(query)?.[0], variables]),
    [
      ['revokeDeveloperToken', { id: 't1' }],
      ['logout', {}],
    ],
  );
  assertLines((await run(['logout'])).stdout, ['No credentials were stored (<folder>/credentials.json).']);
});

test('a login whose token cannot be created stores the session and explains how to publish', async (t) => {
  const advice = 'To publish, store a developer token too: courant login --token';
  const rejected = { errors: [{ message: 'Confirm your address', extensions: { code: 'FORBIDDEN' } }] };
  for (const [answer, note] of [
    [rejected, `Confirm your address. ${advice}`],
    [{ data: { createDeveloperToken: { id: 't1' } } }, advice],
    [{ data: { createDeveloperToken: null } }, advice],
  ] as const) {
    const { run, endpoint, folder, origin } = await openCli(t, { ...answers, createDeveloperToken: answer });
    const { code, stderr } = await run([...PASSWORD, '--endpoint', endpoint], { input: 'secret' });
    assert.equal(code, 0);
    assertLines(stderr, ['Log in at <server>', note]);
    const { developerToken, session } = (await readCredentials({ configFolder: folder })).origins[origin] ?? {};
    assert.deepEqual([developerToken, session?.refreshToken], [undefined, 'r2']);
  }
});

test('a token that a person stored is kept, and stays valid after a logout', async (t) => {
  const { run, calls } = await openCli(t, answers, (endpoint) => {
    const stored = withSession(endpoint);
    for (const credentials of Object.values(stored.origins)) {
      credentials.developerToken = TOKEN;
      if (credentials.session) credentials.session.accessToken = 'old';
    }
    return stored;
  });
  const { stderr } = await run(PASSWORD, { input: 'secret' });
  assertLines(stderr, ['Log in at <server>', 'Publishing still uses the developer token that you stored.']);
  // The former session ends.
  assert.deepEqual(
    calls.map(({ authorization }) => authorization),
    [undefined, 'Bearer old'],
  );
  const out = await run(['logout'], { config: { serviceToken: TOKEN } });
  assertLines(out.stderr, [
    'A developer token stays valid until you revoke it on the settings page.',
    'Ended the session at <server>.',
    'SERVICE_TOKEN is still set in this environment.',
  ]);
});

test('a refused login is explained, and nothing is stored', async (t) => {
  const refuse = async (code: string) => {
    const { run, endpoint, folder } = await openCli(t, {
      'Login(': { errors: [{ message: 'Wrong', extensions: { code } }] },
    });
    const result = await run([...PASSWORD, '--endpoint', endpoint], { input: 'secret' });
    assert.equal(result.code, 1);
    assert.deepEqual(await readCredentials({ configFolder: folder }), { origins: {} });
    return result.stderr;
  };
  assertLines(await refuse('UNAUTHENTICATED'), [
    'Log in at <server>',
    'error: Not logged in: Wrong.',
    '  Try again. If you forgot your password, reset it: <server>/account/forgot-password',
  ]);
  assertLines(await refuse('RATE_LIMITED'), ['Log in at <server>', 'error: Not logged in: Wrong.']);
  const { run, endpoint } = await openCli(t, { 'Login(': { data: { login: { accessToken: 'x' } } } });
  const { stderr } = await run([...PASSWORD, '--endpoint', endpoint], { input: 'secret' });
  assertLines(stderr, [
    'Log in at <server>',
    'error: <server>/graphql returned no tokens.',
    '  Is the endpoint the GraphQL address of a Courant server? See --endpoint.',
  ]);
});

test('a login needs a terminal, or an address and a password', async (t) => {
  const { run } = await openCli(t, answers);
  const lines = [
    'error: There is no terminal to enter e-mail and password.',
    '  To publish from a script, set SERVICE_TOKEN, or store a token: courant login --token - < token.txt',
    '  Publishing needs no session. To open one: courant login --email <address> --password-stdin < password.txt',
  ];
  for (const args of [['login'], ['login', '--email', 'a@b.io'], ['login', '--password-stdin']]) {
    const { code, stderr } = await run(args, { input: 'x' });
    assert.equal(code, 2);
    assertLines(stderr, lines);
  }
  const last = async (args: string[], input: string) =>
    (await run(args, { input })).stderr.trimEnd().split('\n').at(-1);
  assert.equal(await last(PASSWORD, '\n'), 'error: No password was entered.');
  assert.equal(await last(['login', '--email', ' ', '--password-stdin'], 'x'), 'error: No e-mail address was entered.');
  assert.equal(await last(PASSWORD, 'x'.repeat(4_097)), 'error: The input from stdin is too long.');
});

test('a stored token is bound to its server, or to none with a warning', async (t) => {
  const { run, folder, endpoint, origin } = await openCli(t);
  const unbound = await run(['login', '--token', '-'], { input: `${TOKEN}\n` });
  assert.equal(unbound.code, 0);
  assertLines(unbound.stdout, ['Stored the developer token courant_0123…cdef in <folder>/credentials.json.']);
  const valid = 'Its format is valid. The first publish shows whether the server accepts it.';
  assertLines(unbound.stderr, [
    'warning: This token is not bound to a server. The next publish sends it to whichever server that publish addresses. To bind it, run login again with --endpoint and the address of your server.',
    valid,
  ]);
  assert.deepEqual(await readCredentials({ configFolder: folder }), { developerToken: TOKEN, origins: {} });
  const removed = await run(['logout']);
  assertLines(removed.stderr, ['A developer token stays valid until you revoke it on the settings page.']);
  const bound = await run(['login', '--token', TOKEN, '--endpoint', endpoint]);
  assertLines(bound.stdout, [
    'Stored the developer token courant_0123…cdef for <server> in <folder>/credentials.json.',
  ]);
  assertLines(bound.stderr, [valid]);
  assert.deepEqual(await readCredentials({ configFolder: folder }), {
    endpoint,
    origins: { [origin]: { developerToken: TOKEN } },
  });
});

test('a logout of one server removes its credentials only', async (t) => {
  const { run, folder } = await openCli(t, answers, (endpoint) => {
    const stored = withSession(endpoint);
    stored.origins['https://other.example'] = { developerToken: TOKEN };
    return { ...stored, developerToken: TOKEN };
  });
  const [endpoint = ''] = [(await readCredentials({ configFolder: folder })).endpoint];
  assertLines((await run(['logout', '--endpoint', 'https://third.example'])).stdout, [
    'No credentials were stored for https://third.example.',
  ]);
  const { stdout, stderr } = await run(['logout', '--endpoint', endpoint]);
  assertLines(stdout, ['Removed the credentials stored for <server>.']);
  assertLines(stderr, ['Ended the session at <server>.']);
  assert.deepEqual(await readCredentials({ configFolder: folder }), {
    ...{ developerToken: TOKEN, origins: { 'https://other.example': { developerToken: TOKEN } } },
  });
});

test('a session that cannot be ended is reported, and its credentials are removed', async (t) => {
  const { run } = await openCli(
    t,
    { logout: { errors: [{ message: 'No', extensions: { code: 'FORBIDDEN' } }] } },
    withSession,
  );
  const { code, stdout, stderr } = await run(['logout']);
  assert.equal(code, 0);
  assertLines(stderr, ['warning: The session at <server> is still open: No. End it on the settings page.']);
  assertLines(stdout, ['Removed the stored credentials (<folder>/credentials.json).']);
});
