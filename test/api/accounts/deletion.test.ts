/** Deleting an account: who may, what it takes with it, and what it leaves. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { connectDestination } from '../../../store/connections/connect.ts';
import { addNotification } from '../../../store/notifications/add.ts';
import { loadSealer } from '../../../store/secrets/sealing.ts';
import { createUser } from '../../../store/users/create-user.ts';
import { DELETED_ROWS, OTHER_ROWS } from '../../../store/users/delete-account.ts';
import { hashPassword, verifyPassword } from '../../../store/users/passwords.ts';
import { markdown, startTestApi, type TestApi, type TestAuthor } from '../../support/api.ts';
import { openStream } from '../../support/event-stream.ts';
import { ask } from '../../support/graphql.ts';
import { addImport } from '../../support/imports.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi();
});
after(() => api.close());

const PASSWORD = 'a good long password';

async function createAuthor(username: string): Promise<TestAuthor> {
  const author = await api.createAuthor(username);
  const passwordHash = await hashPassword(PASSWORD);
  await api.db.updateTable('users').set({ passwordHash }).where('id', '=', author.id).execute();
  return author;
}

const remove = (author: TestAuthor, password = PASSWORD) =>
  ask(api, author.id, 'mutation ($password: String!) { deleteAccount(password: $password) }', { password });
const publish = (author: TestAuthor, frontmatter: Record<string, unknown>) =>
  api.publish({ content: markdown(frontmatter) }, author);

/** One row of everything that names a person. */
async function fill(author: TestAuthor, other: TestAuthor): Promise<string> {
  const { db } = api;
  const userId = author.id;
  const now = new Date();
  await ask(api, userId, 'mutation { createSeries(title: "Mine") { id } }');
  const profile = { bio: 'bio of theirs', links: ['https://example.org'], pictureUrl: 'https://example.org/p' };
  await ask(api, userId, 'mutation ($input: ProfileInput!) { updateProfile(input: $input) { id } }', {
    input: profile,
  });
  const email = `${author.username}@example.org`;
  await db.insertInto('mails').values({ kind: 'confirm_email', userId, email, createdAt: now, at: now }).execute();
  const link = {
    id: crypto.randomUUID(),
    purpose: 'confirm_email' as const,
    userId,
    email,
    createdAt: now,
    expiresAt: now,
  };
  await db.insertInto('mailLinks').values(link).execute();
  await db.insertInto('notificationPreferences').values({ userId, type: 'NEW_FOLLOWER', stream: false }).execute();
  const action = { at: now, operator: 'somebody', action: 'trust', userId, username: author.username };
  await db.insertInto('operatorActions').values(action).execute();
  const { body } = await publish(author, {
    title: 'A public secret',
    slug: `of-${author.username}`,
    series_id: 'mine',
    tags: ['t'],
  });
  const articleId = body.data?.id ?? '';
  const headers = { 'idempotency-key': crypto.randomUUID() };
  await api.publish({ content: markdown({ title: 'Scheduled', scheduled_at: '2099-01-01' }) }, { ...author, headers });
  const sealer = await loadSealer({ home: api.home, key: undefined });
  const connection = {
    userId,
    destination: 'blogsite_a',
    platform: 'forem',
    baseUrl: 'https://forem.example',
  } as const;
  await connectDestination(db, sealer, {
    ...connection,
    credentials: { apiKey: 'k' },
    account: { identity: '1', name: '@theirs' },
    now,
  });
  const { accountId } = await db
    .selectFrom('connections')
    .select('accountId')
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  const copy = { accountId, remoteId: '7', remoteUrl: 'https://forem.example/7', state: 'delivered' } as const;
  await db
    .insertInto('deliveries')
    .values({ articleId, destination: 'blogsite_a', ...copy })
    .onConflict((row) => row.columns(['articleId', 'destination']).doUpdateSet(copy))
    .execute();
  const article = await db
    .selectFrom('articles')
    .select('id')
    .where('authorId', '=', other.id)
    .executeTakeFirstOrThrow();
  await db.insertInto('reactions').values({ articleId: article.id, userId }).execute();
  await db.insertInto('comments').values({ articleId: article.id, userId, body: 'What I said' }).execute();
  await db
    .insertInto('followers')
    .values([
      { authorId: userId, followerId: other.id },
      { authorId: other.id, followerId: userId },
    ])
    .execute();
  await db
    .insertInto('newsletterSubscribers')
    .values([
      { authorId: userId, email: 'reader@example.org' },
      { authorId: other.id, email: `${author.username}@example.org`, userId },
    ])
    .execute();
  await addImport(db, userId, 1);
  const hash = userId.replaceAll('-', '').padEnd(64, '0');
  await db.insertInto('images').values({ hash, type: 'png', bytes: 1, createdAt: now }).execute();
  await db.insertInto('authorImages').values({ authorId: userId, hash, bytes: 1, checkedAt: now }).execute();
  const origin = { authorId: userId, source: 'rss', origin: 'blog.example', remoteId: '1', articleId, createdAt: now };
  await db.insertInto('articleOrigins').values(origin).execute();
  await db
    .insertInto('digests')
    .values({ userId, date: '2026-01-05', messageId: 'x', at: now, dueAt: now, frequency: 'weekly' })
    .execute();
  await db
    .transaction()
    .execute((tx) =>
      addNotification(tx, { userId, type: 'CROSS_POST_SUCCESS', payload: { postTitle: 'x' }, dedupeKey: userId, now }),
    );
  return articleId;
}

const countRows = async (table: string, column: string, id: string): Promise<number> => {
  const { rows } = await sql<{
    count: number;
  }>`select count(*) from ${sql.table(table)} where ${sql.ref(column)} = ${id}`.execute(api.db);
  return rows[0]?.count ?? 0;
};

test('every column that names a person is dealt with by a deletion', async () => {
  const { rows } = await sql<{ name: string }>`
    select c.conrelid::regclass || '.' || a.attname as name from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
    where c.contype = 'f' and c.confrelid = 'users'::regclass order by 1`.execute(api.db);
  const known = [...DELETED_ROWS, ...OTHER_ROWS].map(([table, column]) => `${table}.${column}`);
  assert.deepEqual(
    rows.map(({ name }) => name),
    known.toSorted(),
    'say in store/users/delete-account.ts what becomes of it',
  );
});

test('a deletion takes what is the person’s, and leaves what others hold on to', async () => {
  const [author, other] = [await createAuthor('leaver'), await createAuthor('stayer')];
  await publish(other, { title: 'Of the one who stays' });
  const articleId = await fill(author, other);
  for (const [table, column] of [...DELETED_ROWS, ...OTHER_ROWS]) {
    assert.ok((await countRows(table, column, author.id)) > 0, `${table}.${column} is filled`);
  }
  assert.equal((await remove(author)).data.deleteAccount, true);
  for (const [table, column] of DELETED_ROWS)
    assert.equal(await countRows(table, column, author.id), 0, `${table}.${column}`);
  assert.equal(await countRows('connections', 'user_id', author.id), 0);
  assert.equal(await countRows('comments', 'user_id', author.id), 0);
  const comment = await api.db.selectFrom('comments').select(['userId', 'body']).executeTakeFirstOrThrow();
  assert.deepEqual(comment, { userId: null, body: 'What I said' });
  assert.equal((await fetch(`${api.url}/of-leaver`)).status, 410);
  assert.equal((await fetch(`${api.url}/authors/leaver`)).status, 404);
  assert.equal((await ask(api, null, '{ user(username: "leaver") { name } }')).data.user, null);
  // The ledger knows where the copy stands.
  const delivery = await api.db
    .selectFrom('deliveries')
    .select(['remoteUrl', 'connectionId'])
    .where('articleId', '=', articleId)
    .executeTakeFirstOrThrow();
  assert.deepEqual(delivery, { remoteUrl: 'https://forem.example/7', connectionId: null });
  const everything = await readRowsOf(author);
  for (const text of [
    'A public secret',
    'first paragraph',
    'bio of theirs',
    'leaver@example.org',
    'Author leaver',
    '@theirs',
    'https://example.org',
  ]) {
    assert.ok(!everything.includes(text), text);
  }
  assert.equal((await ask(api, other.id, '{ me { articleCount } }')).data.me.articleCount, 1);
});

async function readRowsOf({ id }: TestAuthor): Promise<string> {
  const { rows } = await sql<{ row: string }>`
    select u::text as row from users u where id = ${id}
    union all select a::text from articles a where author_id = ${id}
    union all select k::text from accounts k where user_id = ${id}
    union all select d::text from deliveries d join articles a on a.id = d.article_id where author_id = ${id}`.execute(
    api.db,
  );
  return rows.map(({ row }) => row).join('\n');
}

test('nothing opens a deleted account: password, sessions, tokens, streams, export', async () => {
  const author = await createAuthor('locked-out');
  const streamToken = await api.sessions.issue('courant:stream', author.id);
  const session = await api.sessions.issue('courant:session', author.id);
  const exported = new URL(
    (await ask(api, author.id, 'mutation { exportEverything { url } }')).data.exportEverything.url,
  );
  const stream = await openStream(api.url, streamToken);
  await remove(author);
  await stream.ended;
  const login =
    'mutation ($email: String!, $password: String!) { login(email: $email, password: $password) { accessToken } }';
  for (const email of ['locked-out@example.org', `${author.id}@deleted.invalid`]) {
    assert.equal((await ask(api, null, login, { email, password: PASSWORD })).code, 'UNAUTHENTICATED');
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
  assert.equal((await publish(author, { title: 'From the grave' })).status, 401);
  const row = await api.db
    .selectFrom('users')
    .select('passwordHash')
    .where('id', '=', author.id)
    .executeTakeFirstOrThrow();
  assert.equal(await verifyPassword(row.passwordHash, PASSWORD), false, 'the hash is well-formed, and no password’s');
});

test('the e-mail address can have a new account, and the user name cannot be taken', async () => {
  const author = await createAuthor('reserved');
  await remove(author);
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

test('a wrong password deletes nothing, and is counted like one at a login', async () => {
  const author = await createAuthor('guesser');
  for (let n = 0; n < 10; n++) assert.equal((await remove(author, `guess ${n}`)).code, 'WRONG_PASSWORD');
  assert.equal((await remove(author)).code, 'RATE_LIMITED');
  assert.equal((await ask(api, author.id, '{ me { username } }')).data.me.username, 'guesser');
});

test('what stays at destinations is named first: live copies and those that may be there, with their addresses, page by page', async () => {
  const [author, other] = [await createAuthor('asker-first'), await createAuthor('stayer-too')];
  await publish(other, { title: 'Of another' });
  const articleId = await fill(author, other);
  const { id: deliveryId } = await api.db
    .insertInto('deliveries')
    .values({ articleId, destination: 'blogsite_b' })
    .onConflict((row) => row.columns(['articleId', 'destination']).doUpdateSet({ state: 'unknown' }))
    .returning('id')
    .executeTakeFirstOrThrow();
  const { accountId } = await api.db
    .selectFrom('connections')
    .select('accountId')
    .where('userId', '=', author.id)
    .executeTakeFirstOrThrow();
  await api.db
    .insertInto('deliveryAttempts')
    .values({
      deliveryId,
      number: 1,
      accountId,
      action: 'create',
      dispatch: 1,
      revision: 1,
      contentHash: '',
      lookUp: '{}',
    })
    .execute();
  const query = `query ($after: String) { accountDeletion { articleCount scheduledCount copyCount
    copies(first: 1, after: $after) { edges { node { articleSlug articleTitle destination account url isUncertain } } pageInfo { endCursor hasNextPage } } } }`;
  const first = (await ask(api, author.id, query)).data.accountDeletion;
  const { articleCount, scheduledCount, copyCount, copies } = first;
  assert.deepEqual([articleCount, scheduledCount, copyCount, copies.pageInfo.hasNextPage], [2, 1, 2, true]);
  const second = (await ask(api, author.id, query, { after: copies.pageInfo.endCursor })).data.accountDeletion.copies;
  const of = { articleSlug: 'of-asker-first', articleTitle: 'A public secret', account: '@theirs' };
  assert.deepEqual(
    [...copies.edges, ...second.edges].map(({ node }) => node),
    [
      { ...of, destination: 'blogsite_a', url: 'https://forem.example/7', isUncertain: false },
      { ...of, destination: 'blogsite_b', url: '', isUncertain: true },
    ],
  );
  assert.equal(second.pageInfo.hasNextPage, false);
  assert.equal((await ask(api, other.id, query)).data.accountDeletion.copyCount, 0);
});

test('a publish, a connection and a command that come while the account is deleted leave nothing behind', async () => {
  const author = await createAuthor('racer');
  const sealer = await loadSealer({ home: api.home, key: undefined });
  const connection = {
    userId: author.id,
    destination: 'blogsite_a',
    platform: 'forem',
    baseUrl: 'https://forem.example',
    credentials: { apiKey: 'k' },
  } as const;
  const busy = (async () => {
    const attempts = Array.from({ length: 20 }, (_, n) => [
      publish(author, { title: `Racing ${n}` }),
      connectDestination(api.db, sealer, { ...connection, now: new Date() }).catch(({ code }) =>
        assert.equal(code, 'UNAUTHENTICATED'),
      ),
      ask(api, author.id, 'mutation ($t: String!) { createSeries(title: $t) { id } }', { t: `${n}` }).catch(
        () => undefined,
      ),
    ]);
    return Promise.all(attempts.flat());
  })();
  await remove(author);
  await busy;
  for (const [table, column] of DELETED_ROWS)
    assert.equal(await countRows(table, column, author.id), 0, `${table}.${column}`);
  assert.equal(await countRows('connections', 'user_id', author.id), 0);
  const left = await api.db
    .selectFrom('articles')
    .select('id')
    .where('authorId', '=', author.id)
    .where('deletedAt', 'is', null)
    .execute();
  assert.deepEqual(left, []);
});
