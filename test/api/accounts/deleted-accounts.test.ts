/**
 * Deletion of accounts: who can delete, what the preview lists, and concurrent or later requests.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connectDestination } from '../../../store/connections/connect.ts';
import { loadSealer } from '../../../store/secrets/sealing.ts';
import { createUser } from '../../../store/users/create-user.ts';
import { DELETED_ROWS } from '../../../store/users/delete-account.ts';
import { verifyPassword } from '../../../store/users/passwords.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { openStream } from '../../support/api/event-stream.ts';
import { runGraphql } from '../../support/api/graphql.ts';
import { countRows, createAuthor, fill, PASSWORD, publish, remove } from './support/leavers.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi();
});
after(() => api.close());

test('a deleted account rejects its password, sessions, tokens, streams and export links', async () => {
  const author = await createAuthor(api, 'locked-out');
  const streamToken = await api.sessions.issue('courant:stream', author.id);
  const session = await api.sessions.issue('courant:session', author.id);
  const exported = new URL(
    (await runGraphql(api, author.id, 'mutation { exportEverything { url } }')).data.exportEverything.url,
  );
  const stream = await openStream(api.url, streamToken);
  await remove(api, author);
  await stream.ended;
  const login =
    'mutation ($email: String!, $password: String!) { login(email: $email, password: $password) { accessToken } }';
  for (const email of ['locked-out@example.org', `${author.id}@deleted.invalid`]) {
    assert.equal((await runGraphql(api, null, login, { email, password: PASSWORD })).code, 'UNAUTHENTICATED');
  }
  const headers = { authorization: `Bearer ${session}`, 'content-type': 'application/json' };
  const answers = [
    await fetch(`${api.url}/graphql`, { method: 'POST', headers, body: '{"query":"{ me { id } }"}' }),
    await fetch(`${api.url}/notifications/sse-token`, { headers }),
    await fetch(`${api.url}/notifications/stream?token=${streamToken}`),
    await fetch(`${api.url}${exported.pathname}${exported.search}`),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [401, 401, 401, 401],
  );
  assert.equal((await publish(api, author, { title: 'From the grave' })).status, 401);
  const row = await api.db
    .selectFrom('users')
    .select('passwordHash')
    .where('id', '=', author.id)
    .executeTakeFirstOrThrow();
  assert.equal(await verifyPassword(row.passwordHash, PASSWORD), false, 'the hash is well-formed, and no password’s');
});

test('after a deletion the address can be registered again, and the user name stays reserved', async () => {
  const author = await createAuthor(api, 'reserved');
  await remove(api, author);
  const again = {
    username: 'reserved-2',
    name: 'n',
    email: 'Reserved@example.org',
    passwordHash: 'x',
    now: new Date(),
  };
  await createUser(api.db, again);
  await assert.rejects(createUser(api.db, { ...again, username: 'reserved', email: 'else@example.org' }), {
    code: '23505',
  });
});

test('a wrong password deletes nothing and counts towards the login limits', async () => {
  const author = await createAuthor(api, 'guesser');
  for (let n = 0; n < 10; n++) assert.equal((await remove(api, author, `guess ${n}`)).code, 'WRONG_PASSWORD');
  assert.equal((await remove(api, author)).code, 'RATE_LIMITED');
  assert.equal((await runGraphql(api, author.id, '{ me { username } }')).data.me.username, 'guesser');
});

test('the preview of a deletion lists live and uncertain copies with their addresses, in pages', async () => {
  const [author, other] = [await createAuthor(api, 'asker-first'), await createAuthor(api, 'stayer-too')];
  await publish(api, other, { title: 'Of another' });
  const articleId = await fill(api, author, other);
  const account = {
    userId: author.id,
    destination: 'blogsite_b',
    platform: 'hashnode',
    identity: '2',
    name: '@theirs',
  } as const;
  const { id: accountId } = await api.db
    .insertInto('accounts')
    .values(account)
    .returning('id')
    .executeTakeFirstOrThrow();
  await api.db.insertInto('copies').values({ articleId, accountId, presence: 'uncertain' }).execute();
  const query = `query ($after: String) { accountDeletion { articleCount scheduledCount copyCount
    copies(first: 1, after: $after) { edges { node { articleSlug articleTitle destination account url isUncertain } } pageInfo { endCursor hasNextPage } } } }`;
  const first = (await runGraphql(api, author.id, query)).data.accountDeletion;
  const { articleCount, scheduledCount, copyCount, copies } = first;
  assert.deepEqual([articleCount, scheduledCount, copyCount, copies.pageInfo.hasNextPage], [2, 1, 2, true]);
  const second = (await runGraphql(api, author.id, query, { after: copies.pageInfo.endCursor })).data.accountDeletion
    .copies;
  const of = { articleSlug: 'of-asker-first', articleTitle: 'A public secret', account: '@theirs' };
  assert.deepEqual(
    [...copies.edges, ...second.edges].map(({ node }) => node),
    [
      { ...of, destination: 'blogsite_a', url: 'https://forem.example/7', isUncertain: false },
      { ...of, destination: 'blogsite_b', url: '', isUncertain: true },
    ],
  );
  assert.equal(second.pageInfo.hasNextPage, false);
  assert.equal((await runGraphql(api, other.id, query)).data.accountDeletion.copyCount, 0);
});

test('publishes, connections and commands during a deletion store nothing', async () => {
  const author = await createAuthor(api, 'racer');
  const sealer = await loadSealer({ home: api.home, key: undefined });
  const connection = {
    userId: author.id,
    destination: 'blogsite_a',
    platform: 'forem',
    baseUrl: 'https://forem.example',
    credentials: { apiKey: 'k' },
    account: { identity: '1', name: null },
  } as const;
  const busy = (async () => {
    const attempts = Array.from({ length: 20 }, (_, n) => [
      publish(api, author, { title: `Racing ${n}` }),
      connectDestination(api.db, sealer, connection).catch(({ code }) => assert.equal(code, 'UNAUTHENTICATED')),
      runGraphql(api, author.id, 'mutation ($t: String!) { createSeries(title: $t) { id } }', { t: `${n}` }).catch(
        () => undefined,
      ),
    ]);
    return Promise.all(attempts.flat());
  })();
  await remove(api, author);
  await busy;
  for (const [table, column] of DELETED_ROWS)
    assert.equal(await countRows(api, table, column, author.id), 0, `${table}.${column}`);
  assert.equal(await countRows(api, 'connections', 'user_id', author.id), 0);
  const remaining = await api.db
    .selectFrom('articles')
    .select('id')
    .where('authorId', '=', author.id)
    .where('deletedAt', 'is', null)
    .execute();
  assert.deepEqual(remaining, []);
});
