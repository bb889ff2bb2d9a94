/** What `whoami` prints for each kind of stored credentials. */
import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { TOKEN } from '../cli-home.ts';
import { assertLines, openCli, withSession } from '../in-process.ts';

describe('courant whoami', () => {
  const me = { 'me {': { data: { me: { username: 'ada', name: 'Ada L' } } } };

  test('prints the account, the credentials of this server and those of others', async (t) => {
    const { run } = await openCli(t, me, (endpoint) => {
      const stored = withSession(endpoint);
      stored.origins['https://other.example'] = { developerToken: TOKEN };
      stored.origins['https://third.example'] = {
        developerToken: TOKEN,
        session: {
          accessToken: 'x',
          refreshToken: 'r',
          email: 'bob@example.org',
          endpoint: 'https://third.example/graphql',
        },
      };
      stored.origins['https://empty.example'] = {};
      return stored;
    });
    const { code, stdout, stderr } = await run(['whoami'], { config: { serviceToken: TOKEN } });
    assert.deepEqual([code, stderr], [0, '']);
    assertLines(stdout, [
      'Account         ada (Ada L)',
      'Stored token    none',
      'Session         ada@example.org at <server>/graphql, valid until 2100-01-01T00:00:00.000Z, renewed as it is used',
      'Publishes with  courant_0123…cdef (SERVICE_TOKEN)',
      'Endpoint        <server>/graphql (stored)',
      'Also stored     courant_0123…cdef for https://other.example',
      'Also stored     courant_0123…cdef and a session of bob@example.org for https://third.example',
      'File            <folder>/credentials.json',
    ]);
    const json = JSON.parse((await run(['whoami', '--json'])).stdout);
    assert.deepEqual(json, {
      ...{ endpoint: '<server>/graphql', account: { username: 'ada', name: 'Ada L' }, publishesWith: null },
      session: { email: 'ada@example.org', accessUntil: '2100-01-01T00:00:00.000Z' },
      file: '<folder>/credentials.json',
    });
  });

  test('contacts no server with --offline, and explains an unknown account', async (t) => {
    const { run, calls } = await openCli(t, { 'me {': { data: { me: null } } }, withSession);
    assert.match((await run(['whoami', '--offline'])).stdout, /^Account {9}unknown: offline\n/);
    assert.equal(calls.length, 0);
    assert.match((await run(['whoami'])).stdout, /^Account {9}unknown: the server did not return it\n/);
    const nameless = await openCli(t, { 'me {': { data: { me: { username: 'ada' } } } }, withSession);
    assert.match((await nameless.run(['whoami'])).stdout, /^Account {9}ada \(ada\)\n/);
    const failing = await openCli(
      t,
      { 'me {': { errors: [{ message: 'No', extensions: { code: 'FORBIDDEN' } }] } },
      withSession,
    );
    assert.match((await failing.run(['whoami'])).stdout, /^Account {9}unknown: No\.\n/);
  });

  test('fails without credentials, and warns if others can read the file', async (t) => {
    const { run, folder, endpoint } = await openCli(t, {}, (address) => ({ endpoint: address, origins: {} }));
    const { code, stdout, stderr } = await run(['whoami']);
    assert.equal(code, 1);
    assertLines(stdout, [
      'Stored token    none',
      'Session         none',
      'Publishes with  nothing',
      'Endpoint        <server>/graphql (stored)',
      'File            <folder>/credentials.json',
    ]);
    assertLines(stderr, [
      'error: Not logged in.',
      '  Run "courant login", or "courant login --token" with a token from the settings page of the service.',
    ]);
    await chmod(join(folder, 'credentials.json'), 0o644);
    const { stderr: warned } = await run(['whoami', '--endpoint', endpoint], { config: { serviceToken: TOKEN } });
    assertLines(warned, ['warning: other users can read the file. Set its mode to 0600.']);
  });
});
