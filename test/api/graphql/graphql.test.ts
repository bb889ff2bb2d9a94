/** The GraphQL endpoint: authentication, batches, methods and the public key. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createUser } from '../../../store/users/create-user.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { hashCheaply } from '../../support/api/passwords.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi();
  const passwordHash = await hashCheaply('a good long password');
  await createUser(api.db, { username: 'grace', name: 'G', email: 'Grace@Example.org', passwordHash, now: new Date() });
});
after(() => api.close());

interface Answer {
  data?: { login?: { accessToken: string }; me?: { username: string } | null };
  errors?: { message: string; extensions?: { code?: string } }[];
}

async function post(query: string, headers: Record<string, string> = {}): Promise<{ status: number; body: Answer }> {
  const response = await fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  });
  return { status: response.status, body: (await response.json()) as Answer };
}

const login = (email: string, password: string) =>
  post(`mutation { login(email: ${JSON.stringify(email)}, password: ${JSON.stringify(password)}) { accessToken } }`);

test('login returns a session token for the endpoint; the case of the address does not matter', async () => {
  const { body } = await login('grace@example.ORG', 'a good long password');
  const token = body.data?.login?.accessToken ?? '';
  const me = await post('{ me { username } }', { authorization: `Bearer ${token}` });
  assert.deepEqual(me.body.data?.me, { username: 'grace' });
  assert.deepEqual((await post('{ me { username } }')).body.data?.me, null);
});

test('a wrong password and an unknown address return the same error', async () => {
  const wrong = await login('grace@example.org', 'wrong');
  const unknown = await login('nobody@example.org', 'wrong');
  assert.deepEqual(
    wrong.body.errors?.map(({ message }) => message),
    unknown.body.errors?.map(({ message }) => message),
  );
  assert.equal(wrong.body.errors?.[0]?.extensions?.code, 'UNAUTHENTICATED');
});

test('a document with many logins counts as one attempt', async () => {
  const aliases = Array.from(
    { length: 40 },
    (_, n) => `a${n}: login(email: "grace@example.org", password: "g${n}") { accessToken }`,
  );
  const { body } = await post(`mutation { ${aliases.join(' ')} }`);
  assert.equal(body.errors?.length, 1);
});

test('GraphQL rejects developer tokens (A17)', async () => {
  for (const path of ['/graphql', '/graphql/']) {
    const response = await fetch(`${api.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${api.author.token}` },
      body: '{"query":"{ me { id } }"}',
    });
    assert.equal(response.status, 401);
  }
});

test('thousands of aliases and batches are rejected with a 400 (A12, A27)', async () => {
  const aliases = Array.from({ length: 3_000 }, (_, n) => `a${n}: me { id }`).join(' ');
  assert.equal((await post(`{ ${aliases} }`)).status, 400);
  const batch = await fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([{ query: '{ me { id } }' }, { query: '{ me { id } }' }]),
  });
  assert.equal(batch.status, 400);
});

test('GET and text/plain, which other sites can send without a preflight request, are rejected (A13)', async () => {
  assert.equal((await fetch(`${api.url}/graphql?query={me{id}}`)).status, 405);
  const form = await fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: '{"query":"{ me { id } }"}',
  });
  assert.equal(form.status, 400);
});

test('the published key contains no private part', async () => {
  const { keys } = (await (await fetch(`${api.url}/.well-known/jwks.json`)).json()) as {
    keys: Record<string, string>[];
  };
  assert.equal(keys.length, 1);
  assert.equal(keys[0]?.alg, 'ES256');
  assert.equal(keys[0]?.d, undefined);
});
