/** Connecting destinations over GraphQL: credentials, error codes, limits and SSRF. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DEMO_FOREM_KEY, FREE_HASHNODE_PUBLICATION, FREE_HASHNODE_TOKEN } from '../../../sandbox/app.ts';
import { closedOrigin, startServer } from '../../destinations/destination-harness.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { runGraphql } from '../../support/api/graphql.ts';
import { readShared, sharedPath } from '../../support/shared-data.ts';
import {
  CONNECT,
  connectForem,
  findRow,
  listConnections,
  RECONNECT,
  startForem,
  toFields,
} from './connection-requests.ts';

let open: TestApi;
let closed: TestApi;
before(async () => {
  open = await startTestApi({ env: { ALLOW_PRIVATE_DESTINATIONS: 'true' } });
  closed = await startTestApi({ databaseUrl: open.databaseUrl, home: open.home });
});
after(async () => {
  await closed.close();
  await open.close();
});

let authors = 0;
const newAuthor = async () => (await open.createAuthor(`connector-${++authors}`)).id;

test('a valid key is stored sealed, and no response contains it', async (context) => {
  const { forem: baseUrl } = await startForem(context);
  const userId = await newAuthor();
  const answer = await connectForem(open, userId, `${baseUrl}/`, { apiKey: ` ${DEMO_FOREM_KEY}\n` });
  assert.deepEqual(
    { ...answer.data?.connectDestination, createdAt: null, updatedAt: null },
    {
      destination: 'blogsite_a',
      platform: 'forem',
      label: 'DEV',
      baseUrl,
      account: '@demo',
      status: 'ACTIVE',
      statusReason: null,
      blockedUntil: null,
      createdAt: null,
      updatedAt: null,
    },
  );
  assert.equal((await listConnections(open, userId)).length, 1);
  assert.ok(!answer.text.includes(DEMO_FOREM_KEY));
  assert.ok(!(await findRow(open, userId))?.credentialsSealed.toString('latin1').includes(DEMO_FOREM_KEY));
  const introspected = await runGraphql(open, userId, '{ connections { credentials } }');
  assert.equal(introspected.status, 400);
});

test('listing, connecting and disconnecting require a session', async () => {
  for (const query of [
    '{ connections { account } }',
    'mutation { disconnectDestination(destination: blogsite_a) }',
    'mutation { reconnectDestination(destination: blogsite_a) { account } }',
  ]) {
    assert.equal((await runGraphql(open, null, query)).code, 'UNAUTHENTICATED');
  }
  assert.equal((await connectForem(open, null, 'https://dev.to/api')).code, 'UNAUTHENTICATED');
});

test('a wrong key is not stored, and the response does not contain it', async (context) => {
  const { forem: baseUrl } = await startForem(context);
  const userId = await newAuthor();
  const answer = await connectForem(open, userId, baseUrl, { apiKey: 'a-wrong-secret-key' });
  assert.equal(answer.code, 'CREDENTIALS_REFUSED');
  assert.ok(!answer.text.includes('a-wrong-secret-key'));
  assert.deepEqual(await listConnections(open, userId), []);
});

test('a publication without the plan that the platform requires returns PLAN_REQUIRED', async (context) => {
  const { url } = await startForem(context);
  const credentials = toFields({ token: FREE_HASHNODE_TOKEN, publicationId: FREE_HASHNODE_PUBLICATION });
  const input = { destination: 'blogsite_b', baseUrl: `${url}/hashnode`, credentials };
  const answer = await runGraphql(open, await newAuthor(), CONNECT, { input });
  assert.equal(answer.code, 'PLAN_REQUIRED');
  assert.match(answer.message ?? '', /Pro plan/);
});

test('a moved, an unreachable and a rate-limited API have distinct error codes', async (context) => {
  const moved = await startServer(context, (_request, response) => {
    response.writeHead(301, { location: 'https://elsewhere.example/' }).end();
  });
  assert.equal((await connectForem(open, await newAuthor(), moved)).code, 'ENDPOINT_MOVED');
  assert.equal((await connectForem(open, await newAuthor(), await closedOrigin())).code, 'DESTINATION_UNAVAILABLE');
  const busy = await startServer(context, (_request, response) => {
    response.writeHead(429, { 'retry-after': '30' }).end('slow down');
  });
  assert.equal((await connectForem(open, await newAuthor(), busy)).code, 'DESTINATION_RATE_LIMITED');
});

test('the secret, markup and control characters are removed from a destination’s message', async (context) => {
  const hostile = await startServer(context, (_request, response) => {
    const error = `<script>alert(1)</script>\u001b[31m no ${DEMO_FOREM_KEY}`;
    response.writeHead(403, { 'content-type': 'application/json' }).end(JSON.stringify({ error, status: 403 }));
  });
  const answer = await connectForem(open, await newAuthor(), hostile);
  assert.ok(answer.code !== undefined && answer.code !== 'INTERNAL_SERVER_ERROR');
  assert.ok(!answer.text.includes(DEMO_FOREM_KEY) && !answer.text.includes('u001b'));
});

test('an error for an invalid platform or credential names the field', async () => {
  const userId = await newAuthor();
  const attempt = (input: object) => runGraphql(open, userId, CONNECT, { input: { credentials: [], ...input } });
  const wrong = await attempt({ destination: 'blogsite_a', platform: 'ghost' });
  assert.deepEqual([wrong.code, wrong.field], ['BAD_PLATFORM', 'platform']);
  assert.equal((await attempt({ destination: 'cms_site' })).code, 'BAD_PLATFORM');
  const missing = await attempt({ destination: 'blogsite_b', credentials: toFields({ token: 'abc' }) });
  assert.deepEqual([missing.code, missing.field], ['BAD_CREDENTIALS', 'credentials.publicationId']);
  const stranger = await attempt({
    destination: 'blogsite_a',
    credentials: toFields({ apiKey: 'k', __proto__x: 'y' }),
  });
  assert.deepEqual([stranger.code, stranger.field], ['BAD_CREDENTIALS', 'credentials']);
  for (const value of ['ключ', 'a\nb', 'a\u0000b', 'x'.repeat(9_000)]) {
    const damaged = await attempt({ destination: 'blogsite_a', credentials: toFields({ apiKey: value }) });
    assert.deepEqual([damaged.code, damaged.field], ['BAD_CREDENTIALS', 'credentials.apiKey']);
    assert.ok(!damaged.text.includes(value.slice(0, 200)));
  }
});

test('a credential in a malformed field is rejected, and the error does not contain it', async () => {
  const secret = 'very-secret-value';
  for (const credential of [
    { name: 'apiKey', value: secret, extra: 1 },
    { name: 'apiKey', value: [secret] },
    { value: secret },
  ]) {
    const input = { destination: 'blogsite_a', credentials: [credential] };
    const answer = await runGraphql(open, await newAuthor(), CONNECT, { input });
    assert.equal(answer.status, 400);
    assert.ok(!answer.text.includes(secret), answer.text);
    assert.match(answer.message ?? '', /credentials/);
  }
  const inline = `mutation { connectDestination(input: { destination: blogsite_a, credentials: [{ name: "apiKey", value: ["${secret}"] }] }) { account } }`;
  assert.ok(!(await runGraphql(open, await newAuthor(), inline)).text.includes(secret));
});

test('connection attempts are limited, including rejected ones', async () => {
  const userId = await newAuthor();
  const codes: (string | undefined)[] = [];
  for (let n = 0; n < 12; n++)
    codes.push((await connectForem(closed, userId, 'https://10.0.0.1/', { apiKey: 'k' })).code);
  assert.deepEqual(codes.slice(0, 10), Array(10).fill('BAD_ADDRESS'));
  assert.deepEqual(codes.slice(10), ['RATE_LIMITED', 'RATE_LIMITED']);
  const again = await runGraphql(open, userId, RECONNECT, { destination: 'blogsite_a' });
  assert.equal(again.code, 'RATE_LIMITED');
});

const ssrf = sharedPath('hostile/ssrf.txt');
test('no address of the SSRF list can be connected (A10)', { skip: ssrf.skip }, async () => {
  const lines = readShared('hostile/ssrf.txt')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const userId = await newAuthor();
  for (const line of lines) {
    await open.db.deleteFrom('rateCounters').execute();
    // Over http each is rejected by its form. The https ones are public DNS names, which are
    // checked when they are resolved.
    if (!line.startsWith('http:')) continue;
    const answer = await connectForem(closed, userId, line, { apiKey: 'k' });
    assert.deepEqual([answer.code, answer.field], ['BAD_ADDRESS', 'baseUrl'], line);
  }
  assert.deepEqual(await listConnections(open, userId), []);
});

test('addresses with other schemes or credentials, and local addresses, are not called (A10)', async (context) => {
  let called = 0;
  const localServer = await startServer(context, (_request, response) => {
    called += 1;
    response.end('{}');
  });
  await open.db.deleteFrom('rateCounters').execute();
  for (const address of [
    'file:///etc/passwd',
    'gopher://x/',
    'https://u:p@dev.to',
    'x',
    localServer,
    localServer.replace('http', 'https'),
    localServer.replace('127.0.0.1', 'localhost'),
    'https://[::1]/',
    'https://localhost/',
  ]) {
    const answer = await connectForem(closed, await newAuthor(), address, { apiKey: 'k' });
    assert.equal(answer.code, 'BAD_ADDRESS', address);
    assert.ok(!answer.text.includes('u:p'));
  }
  assert.equal(called, 0);
});
