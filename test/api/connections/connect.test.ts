/** `connect` and `reconnect`: what is rejected before a server is called, and what is stored. */

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { type ConnectRequest, connect, reconnect } from '../../../api/connections/connect.ts';
import type { ConnectDeps } from '../../../api/deps.ts';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import { listConnections } from '../../../store/connections/list.ts';
import { refuseConnection } from '../../../store/connections/refuse.ts';
import { loadSealer } from '../../../store/secrets/sealing.ts';
import { closedOrigin } from '../../destinations/destination-harness.ts';
import { foremRow } from '../../destinations/rows/forem.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { readShared, sharedPath } from '../../support/shared-data.ts';

let api: TestApi;
let deps: ConnectDeps;
let count = 0;
before(async () => {
  api = await startTestApi();
  const sealer = await loadSealer({ home: api.home, key: undefined });
  deps = {
    db: api.db,
    sealer,
    config: { allowPrivate: true, baseUrl: 'https://courant.example' },
    now: () => new Date(),
  };
});
after(() => api.close());

/** Connects as a new author, because attempts are limited per author. */
async function tryConnect(request: Partial<ConnectRequest>, changes: Partial<ConnectDeps> = {}) {
  count += 1;
  const { id: userId } = await api.createAuthor(`connector-${count}`);
  const credentials = { username: 'ann', applicationPassword: 'secret secret' };
  const merged = { destination: 'cms_site' as const, platform: 'wordpress', credentials, ...request, userId };
  try {
    await connect({ ...deps, ...changes }, merged);
    return { kind: 'connected' as const, userId };
  } catch (error) {
    assert.ok(error instanceof RefusedCommandError, String(error));
    return { kind: 'refused' as const, code: error.code, field: error.field, message: error.message, userId };
  }
}

async function serve(context: { after(work: () => void): void }, answer: string): Promise<string> {
  const server = createServer((_request, response) => response.end(answer));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a refused request names the field and the next step', async () => {
  const forem = { destination: 'blogsite_a', platform: 'forem', baseUrl: await closedOrigin() } as const;
  const hashnode = { destination: 'blogsite_b', platform: null, baseUrl: forem.baseUrl } as const;
  const invalid = (name: string) => `${name} contains invalid characters, or more than 8192 characters. Copy it again.`;
  const cases: [Partial<ConnectRequest>, code: string, field: string | undefined, message: string | RegExp][] = [
    [
      { platform: undefined },
      ...(['BAD_PLATFORM', 'platform'] as const),
      'The platforms of cms_site are: wordpress, ghost. Specify one with platform.',
    ],
    [
      { ...forem, platform: 'ghost' },
      ...(['BAD_PLATFORM', 'platform'] as const),
      'The platforms of blogsite_a are: forem. Specify one with platform.',
    ],
    [
      { ...hashnode, credentials: {} },
      ...(['BAD_CREDENTIALS', 'credentials.token'] as const),
      'Hashnode requires token and publicationId.',
    ],
    [
      { ...hashnode, credentials: { token: 't', publicationId: ' ' } },
      ...(['BAD_CREDENTIALS', 'credentials.publicationId'] as const),
      'Hashnode requires publicationId.',
    ],
    [
      { ...hashnode, credentials: { token: 't', publicationId: 'p', ['x'.repeat(51)]: 'y' } },
      ...(['BAD_CREDENTIALS', 'credentials'] as const),
      `The fields of Hashnode are token, publicationId; "${'x'.repeat(50)}" is not one of them.`,
    ],
    [
      { ...hashnode, credentials: { token: 't', publicationId: 'x'.repeat(8_193) } },
      ...(['BAD_CREDENTIALS', 'credentials.publicationId', invalid('publicationId')] as const),
    ],
    ...['\u007f', 'a\tb', 'é'].map((apiKey): [Partial<ConnectRequest>, string, string, string] => [
      { ...forem, credentials: { apiKey } },
      ...(['BAD_CREDENTIALS', 'credentials.apiKey', invalid('apiKey')] as const),
    ]),
    [
      { ...forem, credentials: { apiKey: ' !~'.repeat(2_730) } },
      ...(['DESTINATION_UNAVAILABLE', undefined, /./] as const),
    ],
    [
      { baseUrl: ' ' },
      ...(['BAD_ADDRESS', 'baseUrl', 'The address of your WordPress site is missing. Enter it.'] as const),
    ],
    [
      { baseUrl: `${forem.baseUrl}/${'a'.repeat(2_000 - forem.baseUrl.length)}` },
      ...(['BAD_ADDRESS', 'baseUrl', 'The address is not a valid URL.'] as const),
    ],
    [
      {
        ...forem,
        baseUrl: `${forem.baseUrl}/${'a'.repeat(1_999 - forem.baseUrl.length)}`,
        credentials: { apiKey: 'k' },
      },
      ...(['DESTINATION_UNAVAILABLE', undefined, /./] as const),
    ],
    [{ baseUrl: 'https://a.example/\u0085' }, 'BAD_ADDRESS', 'baseUrl', 'The address is not a valid URL.'],
  ];
  for (const [request, code, field, message] of cases) {
    const answer = await tryConnect(request);
    assert.ok(answer.kind === 'refused');
    assert.deepEqual([answer.code, answer.field], [code, field], answer.message);
    if (typeof message === 'string') assert.equal(answer.message, message);
    else assert.match(answer.message, message);
  }
});

test('a destination that is not connected cannot be reconnected; ten attempts a minute are counted', async () => {
  const { id: userId } = await api.createAuthor('not-connected');
  const message = 'This destination is not connected; connect it first.';
  const again = () => reconnect(deps, { userId, destination: 'blogsite_a', credentials: null });
  for (let n = 0; n < 10; n++) await assert.rejects(again(), { code: 'NOT_CONNECTED', message });
  await assert.rejects(again(), {
    code: 'RATE_LIMITED',
    message: /^Too many attempts; try again in (?:[1-5]?\d|60) seconds\.$/,
  });
});

test('an address with control characters or spaces, or one that is too long, is rejected', async () => {
  const addresses = ['https://blog.example/\u0000', 'https://blog.exa\nmple', 'https://blog.example/a b', '\u001b[31m'];
  for (const baseUrl of [...addresses, `https://blog.example/${'a'.repeat(3000)}`, 'nonsense', 'ftp://blog.example/']) {
    const answer = await tryConnect({ baseUrl });
    assert.ok(answer.kind === 'refused' && answer.code === 'BAD_ADDRESS', JSON.stringify(answer));
  }
});

test('no hostile address is connected (A10, A11)', { skip: sharedPath('hostile/ssrf.txt').skip }, async () => {
  const config = { allowPrivate: false, baseUrl: 'https://courant.example' };
  const addresses = readShared('hostile/ssrf.txt')
    .split('\n')
    .filter((line) => /^http:\/\//.test(line));
  assert.ok(addresses.length > 20);
  const { id: userId } = await api.createAuthor('scanner');
  const codes = new Set<string>();
  for (const baseUrl of addresses.slice(0, 12)) {
    const credentials = { username: 'ann', applicationPassword: 'secret secret' };
    await assert.rejects(
      connect({ ...deps, config }, { userId, destination: 'cms_site', platform: 'wordpress', baseUrl, credentials }),
      (error: RefusedCommandError) => codes.add(error.code) !== undefined,
    );
  }
  // Ten attempts per minute: enough for a person, too few for a scan.
  assert.deepEqual([...codes].sort(), ['BAD_ADDRESS', 'RATE_LIMITED']);
});

test('control characters are removed from the name of an account', async (context) => {
  const baseUrl = await serve(context, JSON.stringify({ id: 7, username: 'ann\u0000\u001b[31m' }));
  const request = { destination: foremRow.key, platform: 'forem', baseUrl, credentials: { apiKey: 'secret-key' } };
  const answer = await tryConnect(request);
  assert.equal(answer.kind, 'connected', JSON.stringify(answer));
  const [connection] = await listConnections(api.db, answer.userId);
  assert.equal(connection?.account, '@ann');
});

test('an error message does not contain a credential that the server echoes', async (context) => {
  for (const status of [403, 422]) {
    const server = createServer((_request, response) => {
      response.writeHead(status).end(JSON.stringify({ error: 'No: secret-key is bad', status }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    context.after(() => server.close());
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const request = { destination: foremRow.key, platform: 'forem', baseUrl, credentials: { apiKey: 'secret-key' } };
    const answer = await tryConnect(request);
    assert.ok(answer.kind === 'refused', JSON.stringify(answer));
    assert.doesNotMatch(answer.message, /secret/);
    assert.deepEqual(await listConnections(api.db, answer.userId), []);
  }
});

test('a reconnection fails if a delivery finds the credential refused during its probe', async (context) => {
  let duringProbe = () => Promise.resolve();
  const server = createServer(async (_request, response) => {
    await duringProbe();
    response.end(JSON.stringify({ id: 7, username: 'ann' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { userId } = await tryConnect({
    ...{ destination: foremRow.key, platform: 'forem', baseUrl },
    credentials: { apiKey: 'secret-key' },
  });
  duringProbe = async () => {
    const { id, version } = await api.db
      .selectFrom('connections')
      .select(['id', 'version'])
      .where('userId', '=', userId)
      .executeTakeFirstOrThrow();
    await api.db.transaction().execute((tx) => refuseConnection(tx, { id, version, reason: 'Refused.' }));
  };
  await assert.rejects(reconnect(deps, { userId, destination: foremRow.key, credentials: null }), {
    code: 'CONNECTION_CHANGED',
    message:
      'The destination was reconnected or disconnected while this account was tested. That change stays in effect.',
  });
});
