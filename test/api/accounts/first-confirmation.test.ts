/** A password reset that confirms an address for the first time. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { requestPasswordReset } from '../../../api/accounts/links/links.ts';
import { continueSession } from '../../../api/auth/open-session.ts';
import { connectDestination } from '../../../store/connections/connect.ts';
import { loadSealer } from '../../../store/secrets/sealing.ts';
import { updateProfile } from '../../../store/users/profile.ts';
import { openStream } from '../../support/api/event-stream.ts';
import { runGraphql } from '../../support/api/graphql.ts';
import { waitForLock } from '../../support/database/locks.ts';
import { type AccountsDesk, findLink, PASSWORD, startAccountsDesk } from './support/accounts-desk.ts';
import { PASSWORD as ATTACKERS_PASSWORD, countRows, createAuthor, fill, publish } from './support/leavers.ts';

let desk: AccountsDesk;
before(async () => {
  desk = await startAccountsDesk();
});
after(() => desk.close());

const OWNERS_PASSWORD = 'the password of the owner';
const ME = '{ me { id username name bio links pictureUrl articleCount followerCount } }';

async function requestLink(email: string): Promise<string> {
  await requestPasswordReset(desk.api.accounts, { address: '192.0.2.1', userAgent: null }, email);
  const [mail] = await desk.waitForMails(email, /Reset your password/);
  assert.ok(mail);
  return findLink(mail);
}

const reset = (link: string, form: Record<string, string> = {}) =>
  fetch(link, { method: 'POST', body: new URLSearchParams({ password: OWNERS_PASSWORD, ...form }) });

/** Returns the `main` element only, so that a failed assertion prints no more. */
async function readMain(response: Response): Promise<string> {
  return /<main[\s\S]*<\/main>/.exec(await response.text())?.[0] ?? '';
}

const findUserId = async (email: string) =>
  (await desk.api.db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id;

/** Creates an unconfirmed account with rows in every table that refers to users. */
async function createUnconfirmedAccount(username: string) {
  const { api } = desk;
  const [attacker, other] = [await createAuthor(api, username), await createAuthor(api, `${username}-reader`)];
  await publish(api, other, { title: 'Of another author' });
  await fill(api, attacker, other);
  await api.db
    .updateTable('users')
    .set({ emailConfirmedAt: null, trusted: true })
    .where('id', '=', attacker.id)
    .execute();
  return { attacker, email: `${username}@example.org`, other };
}

async function listPersonColumns() {
  const { rows } = await sql<{ table: string; column: string }>`
    select c.conrelid::regclass::text as table, a.attname as column from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
    where c.contype = 'f' and c.confrelid = 'users'::regclass order by 1, 2`.execute(desk.api.db);
  return rows;
}

test('a reset that confirms an address for the first time deletes everything in the account (A38)', async () => {
  const { api } = desk;
  const { attacker, email } = await createUnconfirmedAccount('hijacked');
  const session = await desk.login(email, ATTACKERS_PASSWORD);
  const stream = await openStream(api.url, await api.sessions.issue('courant:stream', attacker.id));
  const link = await requestLink(email);
  assert.match(await readMain(await fetch(link)), /never confirmed[\s\S]*deletes everything/, 'the page says so first');
  const done = await reset(link, { keepDeveloperTokens: 'on' });
  assert.equal(done.status, 200);
  assert.match(await readMain(done), /everything that was in the account before is deleted/);

  await stream.ended;
  await assert.rejects(desk.login(email, ATTACKERS_PASSWORD), { code: 'UNAUTHENTICATED' });
  await assert.rejects(continueSession(api.accounts, session.refreshToken), { code: 'UNAUTHENTICATED' });
  const headers = { authorization: `Bearer ${session.accessToken}`, 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify({ query: ME }) };
  assert.equal((await fetch(`${api.url}/graphql`, request)).status, 401);
  assert.equal((await publish(api, attacker, { title: 'In the name of the owner' })).status, 401);
  assert.equal((await fetch(`${api.url}/of-hijacked`)).status, 410);
  assert.doesNotMatch(await readMain(await fetch(`${api.url}/authors/hijacked`)), /secret|of theirs|Author hijacked/);

  const id = await findUserId(email);
  const { data } = await runGraphql(api, id, ME);
  const profile = { username: 'hijacked', name: 'hijacked', bio: null, links: [], pictureUrl: null };
  assert.deepEqual(data.me, { id, ...profile, articleCount: 0, followerCount: 0 });
  // The session of `ask`, the mail about the reset, and the default rows of every account.
  const allowed = new Set(['sessions.user_id', 'mails.user_id', 'digest_settings.user_id']);
  for (const { table, column } of await listPersonColumns()) {
    if (!allowed.has(`${table}.${column}`))
      assert.equal(await countRows(api, table, column, id), 0, `${table}.${column}`);
  }
  const [mail] = await desk.waitForMails(email, /account at Courant/);
  assert.match(mail?.parsed.text ?? '', /deleted/);
  await desk.login(email, OWNERS_PASSWORD);
  const { trusted, emailConfirmedAt } = await api.db
    .selectFrom('users')
    .select(['trusted', 'emailConfirmedAt'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  assert.deepEqual([trusted, emailConfirmedAt !== null], [false, true]);
});

test('a request of the former account that overlaps the reset stores nothing (A38)', async () => {
  const { api } = desk;
  const { attacker, email } = await createUnconfirmedAccount('contested');
  const link = await requestLink(email);
  const sealer = await loadSealer({ home: api.home, key: undefined });
  const connect = () =>
    connectDestination(api.db, sealer, {
      ...({ userId: attacker.id, destination: 'blogsite_b', platform: 'hashnode' } as const),
      ...{ baseUrl: 'https://hashnode.example', credentials: { token: 't' }, account: { identity: '1', name: null } },
    }).then(
      () => 'connected',
      ({ code }: { code: string }) => code,
    );
  // The reset takes its lock first, so the connection waits for it.
  let connecting = Promise.resolve('');
  const resetting = api.db.transaction().execute(async (tx) => {
    await sql`lock table connections in access exclusive mode`.execute(tx);
    const answer = reset(link);
    await waitForLock(api.db);
    connecting = connect();
    await waitForLock(api.db, 2);
    return { answer };
  });
  assert.equal((await (await resetting).answer).status, 200);
  assert.equal(await connecting, 'UNAUTHENTICATED');
  assert.equal(await connect(), 'UNAUTHENTICATED', 'nor later');
  await assert.rejects(updateProfile(api.db, attacker.id, { name: 'Evil' }), { code: 'UNAUTHENTICATED' });
  for (const id of [attacker.id, await findUserId(email)])
    assert.equal(await countRows(api, 'connections', 'user_id', id), 0);
});

test('following the account during the reset neither blocks the reset nor waits for it', async () => {
  const { api } = desk;
  const { attacker, email, other } = await createUnconfirmedAccount('followed');
  const link = await requestLink(email);
  await api.db.deleteFrom('followers').where('followerId', '=', other.id).execute();
  await api.db.transaction().execute(async (tx) => {
    await tx.insertInto('followers').values({ authorId: attacker.id, followerId: other.id }).execute();
    assert.equal((await reset(link)).status, 200);
  });
});

test('a reset does not lift a suspension', async () => {
  const { db } = desk.api;
  const { attacker, email } = await createUnconfirmedAccount('barred');
  const link = await requestLink(email);
  await db.updateTable('users').set({ suspendedAt: new Date() }).where('id', '=', attacker.id).execute();
  assert.equal((await reset(link)).status, 200);
  await assert.rejects(desk.login(email, OWNERS_PASSWORD), { code: 'SUSPENDED' });
});

test('a reset of a confirmed account revokes its developer tokens, unless its owner keeps them on the page', async () => {
  const { api } = desk;
  const author = await createAuthor(api, 'owner');
  const email = 'owner@example.org';
  const tokenWorks = async (title: string) => (await publish(api, author, { title })).status < 300;
  assert.equal(await tokenWorks('One'), true);
  const first = await requestLink(email);
  assert.match(await readMain(await fetch(first)), /<input type="checkbox" name="keepDeveloperTokens"[^>]*>/);
  assert.equal((await reset(first, { keepDeveloperTokens: 'on' })).status, 200);
  assert.equal(await tokenWorks('Two'), true);
  const [changedOnce] = await desk.waitForMails(email, /was changed/);
  assert.match(changedOnce?.parsed.text ?? '', /1 developer token still works/);

  await requestPasswordReset(api.accounts, { address: '192.0.2.2', userAgent: null }, email);
  const mails = await desk.waitForMails(email, /Reset your password/, 2);
  assert.equal((await reset(findLink(mails.at(-1) as (typeof mails)[0]))).status, 200);
  assert.equal(await tokenWorks('Three'), false);
  const changed = await desk.waitForMails(email, /was changed/, 2);
  assert.match(changed.at(-1)?.parsed.text ?? '', /No developer token works/);
  assert.equal(await findUserId(email), author.id, 'the account stays');
});

test('over GraphQL a reset keeps developer tokens only with keepDeveloperTokens', async () => {
  const { api } = desk;
  const author = await createAuthor(api, 'remote');
  const query =
    'mutation ($token: String!, $password: String!, $keep: Boolean) { resetPassword(token: $token, password: $password, keepDeveloperTokens: $keep) }';
  const link = await requestLink('remote@example.org');
  const token = new URL(link).searchParams.get('token');
  assert.equal(
    (await runGraphql(api, null, query, { token, password: PASSWORD, keep: true })).data.resetPassword,
    true,
  );
  assert.equal((await publish(api, author, { title: 'Kept' })).status, 201);
});
