/** The choice of the server and of the token, and the reasons why one is refused. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readConfig } from '../../../cli/config.ts';
import {
  bindToken,
  type Credentials,
  changeEndpoint,
  findStoredToken,
} from '../../../cli/credentials/stored-credentials.ts';
import { checkToken, chooseToken, describeMissingToken, maskToken } from '../../../cli/credentials/token.ts';
import { Failure } from '../../../cli/failure.ts';
import { isLoopback, parseEndpoint, refuseClearText, resolveEndpoint } from '../../../cli/server/endpoint.ts';
import { TOKEN } from '../cli-home.ts';

/** The exit code, the message and the hints. */
function refusal(work: () => unknown): [number, string, ...string[]] {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof Failure, String(error));
    return [error.exitCode, error.message, ...error.details.hints];
  }
  return assert.fail('nothing failed');
}

test('the environment sets the token, the server, the folder, and how to write', () => {
  const { configFolder: standard, ...unset } = readConfig({});
  assert.match(standard, /courant$/);
  const nothing = { serviceToken: undefined, serviceTokenIsEmpty: false, endpoint: undefined, allowHttp: false };
  assert.deepEqual(unset, { ...nothing, colours: true, isCi: false, animations: true });
  const { configFolder, ...set } = readConfig({
    ...{ SERVICE_TOKEN: ' t ', COURANT_ENDPOINT: ' https://a.io ', COURANT_CONFIG_DIR: '/c', COURANT_ALLOW_HTTP: '1' },
    ...{ NO_COLOR: '1', CI: '' },
  });
  assert.equal(configFolder, '/c');
  const given = { serviceToken: 't', serviceTokenIsEmpty: false, endpoint: 'https://a.io', allowHttp: true };
  assert.deepEqual(set, { ...given, colours: false, isCi: true, animations: false });
  const dumb = readConfig({ TERM: 'dumb', SERVICE_TOKEN: ' ', COURANT_ALLOW_HTTP: 'true', COURANT_ENDPOINT: ' ' });
  assert.deepEqual(
    { ...dumb, configFolder: '' },
    { ...nothing, configFolder: '', serviceTokenIsEmpty: true, colours: false, isCi: false, animations: false },
  );
});

describe('the server', () => {
  test('is that of the flag, else the environment, else the last login, else this machine', () => {
    const resolve = (flag?: string, endpoint?: string, stored?: string) => {
      const { graphqlUrl, source } = resolveEndpoint(flag, { endpoint }, stored);
      return `${graphqlUrl} ${source}`;
    };
    assert.equal(resolve('https://f.io', 'https://e.io', 'https://s.io'), 'https://f.io/graphql --endpoint');
    assert.equal(resolve(undefined, 'https://e.io/x', 'https://s.io'), 'https://e.io/x COURANT_ENDPOINT');
    assert.equal(resolve(undefined, undefined, 'https://s.io/#a'), 'https://s.io/graphql stored');
    assert.equal(resolve(), 'http://localhost:3000/graphql default');
    assert.equal(parseEndpoint('https://f.io/graphql', 'x').publishUrl, 'https://f.io/api/v1/articles');
  });

  test('is an http(s) address without credentials', () => {
    for (const text of ['ftp://a.io', 'a.io', '']) {
      assert.deepEqual(
        refusal(() => parseEndpoint(text, 'stored')),
        [
          2,
          `The endpoint "${text}" (stored) is not an http or https URL.`,
          'Use the address of the GraphQL endpoint, for example http://localhost:3000/graphql.',
        ],
      );
    }
    for (const text of ['https://a@b.io', 'https://:a@b.io']) {
      assert.deepEqual(
        refusal(() => parseEndpoint(text, '--endpoint')),
        [2, 'The endpoint (--endpoint) must not contain a user name or a password.'],
      );
    }
  });

  test('gets credentials only over https, on this machine, or with permission', () => {
    const refuse = (address: string, allowHttp = false) => refuseClearText(parseEndpoint(address, 'x'), { allowHttp });
    refuse('https://a.io');
    refuse('http://a.io', true);
    for (const host of ['localhost', 'a.localhost', '127.0.0.1', '127.1', '[::1]']) refuse(`http://${host}:3000`);
    assert.deepEqual(
      refusal(() => refuse('http://a.io:80/x')),
      [
        2,
        'Your credentials were not sent to http://a.io: others could read them over plain http.',
        'Use an https endpoint, or set COURANT_ALLOW_HTTP=1 if you trust every network in between.',
      ],
    );
    for (const host of ['localhost.io', 'xlocalhost', '127.0.0.1.io', 'x127.0.0.1', '128.0.0.1', '[::2]', '127.0.0.x'])
      assert.equal(isLoopback(host), false, host);
  });
});

describe('a developer token', () => {
  test('is refused with the reason, without being shown', () => {
    const hint =
      'A developer token is "courant_" and 48 hexadecimal digits. Create one on the settings page of the service.';
    for (const [text, reason] of [
      [' ', 'it is empty'],
      ['a.b-c.', 'it looks like a session token (JWT), which cannot publish'],
      ['a.b', 'it does not start with "courant_"'],
      ['x a.b.c', 'it does not start with "courant_"'],
      [`${TOKEN.slice(0, -1)}F`, 'it contains something other than lower-case hexadecimal digits after "courant_"'],
      [TOKEN.slice(0, -1), 'it has 47 digits after "courant_" instead of 48'],
      [`${TOKEN}0`, 'it has 49 digits after "courant_" instead of 48'],
    ] as const) {
      assert.deepEqual(
        refusal(() => checkToken(text, 'SERVICE_TOKEN')),
        [2, `The token of SERVICE_TOKEN is not a developer token: ${reason}.`, hint],
      );
    }
    assert.equal(refusal(() => checkToken('', 'stored'))[1], 'The stored token is not a developer token: it is empty.');
    assert.equal(checkToken(` ${TOKEN}\n`, '--token'), TOKEN);
    assert.deepEqual([maskToken(TOKEN), maskToken(`x${TOKEN}`)], ['courant_0123…cdef', '(malformed)']);
  });

  test('is that of the flag, else the environment, else the stored one', async () => {
    const other = TOKEN.replace('0', '1');
    const stored = async () => other;
    assert.deepEqual(await chooseToken(TOKEN, { serviceToken: other }, stored), { token: TOKEN, source: '--token' });
    assert.deepEqual(await chooseToken(undefined, { serviceToken: TOKEN }, stored), {
      token: TOKEN,
      source: 'SERVICE_TOKEN',
    });
    assert.deepEqual(await chooseToken(undefined, { serviceToken: undefined }, stored), {
      token: other,
      source: 'stored',
    });
    assert.equal(await chooseToken(undefined, { serviceToken: undefined }, async () => undefined), null);
  });

  test('that is missing is explained by what is stored and set', () => {
    const describeMissing = (serviceTokenIsEmpty: boolean, origins: Credentials['origins']) => {
      const { message, exitCode, details } = describeMissingToken({ serviceTokenIsEmpty }, 'https://a.io', { origins });
      return [exitCode, message, ...details.hints];
    };
    const general = [
      'Run "courant login --token <token>", set SERVICE_TOKEN, or pass --token. Create a token on the settings page.',
      '"courant publish --dry-run <file>" checks a file without a token.',
    ];
    const session = { accessToken: 'x', refreshToken: 'x', email: 'x', endpoint: 'x' };
    assert.deepEqual(describeMissing(false, { 'https://c.io': { session } }), [1, 'No developer token.', ...general]);
    const empty = 'SERVICE_TOKEN is set but empty: does the secret exist in this CI job?';
    assert.deepEqual(describeMissing(true, {}), [1, 'No developer token.', empty, ...general]);
    const origins = { 'https://b.io': { developerToken: TOKEN }, 'https://c.io': { developerToken: TOKEN } };
    assert.deepEqual(describeMissing(false, origins), [
      1,
      'No developer token for https://a.io. The stored tokens are for https://b.io, https://c.io.',
      'Run "courant login --token <token> --endpoint https://a.io", or use --endpoint to publish to a server that has a stored token.',
    ]);
  });

  test('without a server is bound to the first one, unless that has a token', () => {
    const bind = (stored: Credentials) => {
      bindToken(stored, 'https://a.io');
      return stored;
    };
    assert.deepEqual(bind({ origins: {} }), { origins: {} });
    assert.deepEqual(bind({ developerToken: 't', origins: {} }), {
      origins: { 'https://a.io': { developerToken: 't' } },
    });
    const own = { 'https://a.io': { developerToken: 'own' } };
    assert.deepEqual(bind({ developerToken: 't', origins: own }), { origins: own });
    const stored: Credentials = { developerToken: 't', origins: {} };
    assert.equal(findStoredToken(stored, 'https://a.io'), 't');
    assert.equal(findStoredToken({ ...stored, origins: own }, 'https://a.io'), 'own');
    changeEndpoint(stored, 'https://b.io/graphql');
    const bound = { endpoint: 'https://b.io/graphql', origins: { 'http://localhost:3000': { developerToken: 't' } } };
    assert.deepEqual(stored, bound);
  });
});
