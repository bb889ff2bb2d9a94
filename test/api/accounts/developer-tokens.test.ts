/** Developer tokens are shown once, limited to twenty, and only valid for publishing. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';
import { runGraphql } from '../../support/api/graphql.ts';

let api: TestApi;
let now = new Date('2026-11-23T10:00:00Z');
before(async () => {
  api = await startTestApi({ now: () => now });
});
after(() => api.close());

const CREATE = `mutation ($name: String!, $expiresAt: String) { createDeveloperToken(name: $name, expiresAt: $expiresAt) { id token } }`;
const create = (userId: string, name: string, expiresAt?: string) =>
  runGraphql(api, userId, CREATE, { name, expiresAt });
const LIST = '{ developerTokens { id name lastFour createdAt lastUsedOn expiresAt isExpired } }';
const publish = (token: string) => api.publish({ content: markdown({ title: 'By a token' }) }, { token });

test('a token is shown once when it is created, publishes, and is listed by name and last four characters', async () => {
  const { id } = await api.createAuthor('maker');
  await api.db.deleteFrom('developerTokens').where('userId', '=', id).execute();
  const made = (await create(id, '  CI of\n my  site ')).data.createDeveloperToken;
  assert.match(made.token, /^courant_[0-9a-f]{48}$/);
  const listed = () => runGraphql(api, id, LIST).then(({ data }) => data.developerTokens);
  const expected = {
    id: made.id,
    name: 'CI of my site',
    lastFour: made.token.slice(-4),
    createdAt: now.toISOString(),
    lastUsedOn: null,
    expiresAt: null,
    isExpired: false,
  };
  assert.deepEqual(await listed(), [expected]);
  assert.equal((await publish(made.token)).status, 201);
  assert.deepEqual(await listed(), [{ ...expected, lastUsedOn: '2026-11-23' }]);
  assert.ok(!(await runGraphql(api, id, LIST)).text.includes(made.token.slice(8, -4)));
});

test('a revoked token is rejected at once and not listed any more', async () => {
  const { id } = await api.createAuthor('revoker');
  const { id: tokenId, token } = (await create(id, 'old laptop')).data.createDeveloperToken;
  const revoke = () => runGraphql(api, id, 'mutation ($id: ID!) { revokeDeveloperToken(id: $id) }', { id: tokenId });
  assert.equal((await revoke()).data.revokeDeveloperToken, true);
  assert.equal((await publish(token)).status, 401);
  assert.equal((await revoke()).code, 'NOT_FOUND');
  const { data } = await runGraphql(api, id, LIST);
  assert.ok(!data.developerTokens.some((listed: { id: string }) => listed.id === tokenId));
});

test('a token expires at its expiry time and is listed as expired for a month', async () => {
  const { id } = await api.createAuthor('expirer');
  const { id: tokenId, token } = (await create(id, 'trial', '2026-11-24T10:00+01:00')).data.createDeveloperToken;
  const find = async () =>
    (await runGraphql(api, id, LIST)).data.developerTokens.find((listed: { id: string }) => listed.id === tokenId);
  assert.equal((await publish(token)).status, 201);
  now = new Date('2026-11-24T09:00:00Z');
  assert.equal((await publish(token)).status, 401);
  assert.deepEqual([(await find()).expiresAt, (await find()).isExpired], ['2026-11-24T09:00:00.000Z', true]);
  now = new Date('2026-12-25T09:00:00Z');
  assert.equal(await find(), undefined);
  now = new Date('2026-11-23T10:00:00Z');
});

test('thirty concurrent requests create tokens up to the limit of twenty; an expired or revoked one does not count', async () => {
  const { id, tokenId } = await api.createAuthor('collector');
  const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => create(id, `token ${n}`)));
  assert.equal(answers.filter(({ code }) => code === undefined).length, 19, 'the author had one');
  assert.deepEqual(new Set(answers.map(({ code }) => code)), new Set([undefined, 'TOO_MANY']));
  await runGraphql(api, id, 'mutation ($id: ID!) { revokeDeveloperToken(id: $id) }', { id: tokenId });
  assert.equal((await create(id, 'short', '2026-11-23T10:00:01Z')).code, undefined);
  assert.equal((await create(id, 'one too many')).code, 'TOO_MANY');
  now = new Date('2026-11-23T10:00:02Z');
  assert.equal((await create(id, 'in its place')).code, undefined);
  now = new Date('2026-11-23T10:00:00Z');
});

test('an invalid name or expiry time is rejected and creates no token', async () => {
  const { id } = await api.createAuthor('refused');
  for (const name of ['', ' \n\t ', '\u202e\u200b', 'x'.repeat(61)])
    assert.equal((await create(id, name)).code, 'BAD_INPUT');
  assert.equal((await create(id, 'name', 'next week')).code, 'BAD_TIME');
  assert.equal((await create(id, 'name', '2026-02-30')).code, 'BAD_TIME');
  assert.equal((await create(id, 'name', '2026-11-23T10:00:00Z')).code, 'IN_THE_PAST');
  assert.equal((await runGraphql(api, id, LIST)).data.developerTokens.length, 1);
});

test('a developer token is valid only for the publish endpoint, and the error explains why (A18)', async () => {
  const { token } = await api.createAuthor('misuser');
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ query: '{ me { username } }' });
  const answers = [
    await fetch(`${api.url}/graphql`, { method: 'POST', headers, body }),
    await fetch(`${api.url}/notifications/sse-token`, { headers }),
  ];
  for (const answer of answers) {
    assert.equal(answer.status, 401);
    const problem = (await answer.json()) as { code: string; detail: string };
    assert.equal(problem.code, 'unauthenticated');
    assert.match(problem.detail, /A developer token can only publish articles .* Sign in/);
    assert.ok(!problem.detail.includes(token));
  }
  const stream = await fetch(`${api.url}/notifications/stream?token=${token}`);
  const archive = await fetch(`${api.url}/account/export?token=${token}`);
  assert.deepEqual([stream.status, archive.status], [401, 401]);
});
