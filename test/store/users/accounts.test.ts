/** Accounts: how they are found, changed, exported and handled by an operator. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { hashNetwork, isKnownNetwork } from '../../../store/sessions/known-networks.ts';
import { openSession } from '../../../store/sessions/open-session.ts';
import { findSessionStatus } from '../../../store/sessions/session-status.ts';
import { createDeveloperToken, findTokenOwner } from '../../../store/tokens/developer-tokens.ts';
import { changePassword } from '../../../store/users/change-account.ts';
import { createUser, type NewUser, registerUser } from '../../../store/users/create-user.ts';
import { deleteAccount } from '../../../store/users/delete-account.ts';
import { readOwnArticles, readOwnComments, readOwnImages } from '../../../store/users/export-rows.ts';
import * as find from '../../../store/users/find-user.ts';
import * as operator from '../../../store/users/operator-actions.ts';
import { findOwnProfile, findPublicProfile, updateProfile } from '../../../store/users/profile.ts';
import { addPerson } from '../../support/api/readership.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const NOW = new Date('2026-11-01T09:00:00Z');
const LATER = new Date('2026-11-02T09:00:00Z');
const describeUser = (username: string): NewUser => ({
  ...{ username, name: `The ${username}`, email: `${username}@Example.org`, passwordHash: 'hash', now: NOW },
});
const add = async (username: string) => (await createUser(ledger.db, describeUser(username))).id;
const change = (id: string, set: Record<string, unknown>) =>
  ledger.db.updateTable('users').set(set).where('id', '=', id).execute();

test('an account is found by its address in any case and by its id, until it is deleted', async () => {
  const id = await add('ada');
  const found = { id, username: 'ada', name: 'The ada', email: 'ada@Example.org', passwordHash: 'hash' };
  const more = { suspendedAt: null, emailConfirmedAt: NOW };
  assert.deepEqual(await find.findUserByEmail(ledger.db, 'ADA@example.ORG'), { ...found, ...more });
  assert.deepEqual(await find.findUserWithPassword(ledger.db, id), found);
  await change(id, { deletedAt: NOW });
  assert.equal(await find.findUserByEmail(ledger.db, 'ada@example.org'), undefined);
  assert.equal(await find.findUserWithPassword(ledger.db, id), undefined);
});

test('the viewer of a page has the own name, zone and unread notifications', async () => {
  const [userId, other] = [await add('viewer'), await add('not-viewer')];
  const notifications = [userId, userId, userId, other].map((of, index) => ({
    ...{ userId: of, number: index + 1, type: 'NEW_FOLLOWER' as const, payload: '{}', dedupeKey: `viewer:${index}` },
    ...{ onStream: true, createdAt: NOW, readAt: index === 1 ? NOW : null, withdrawnAt: index === 2 ? NOW : null },
  }));
  await ledger.db.insertInto('notifications').values(notifications).execute();
  const viewer = { userId, sessionId: 'session' };
  assert.deepEqual(await find.findViewer(ledger.db, viewer), {
    ...{ ...viewer, username: 'viewer', name: 'The viewer', email: 'viewer@Example.org', emailConfirmed: true },
    ...{ isOperator: false, pictureUrl: null, zone: null, unread: 1 },
  });
  await change(userId, { isOperator: true });
  assert.equal((await find.findViewer(ledger.db, viewer))?.isOperator, true);
  await change(userId, { emailConfirmedAt: null });
  assert.equal((await find.findViewer(ledger.db, viewer))?.emailConfirmed, false);
  await change(userId, { deletedAt: NOW });
  assert.equal(await find.findViewer(ledger.db, viewer), undefined);
});

test('an author is found by user name in any case, while active', async () => {
  const id = await add('author');
  assert.equal(await find.findAuthorId(ledger.db, 'AUTHOR'), id);
  assert.equal(await find.requireAuthorId(ledger.db, 'author'), id);
  for (const state of [{ suspendedAt: NOW }, { suspendedAt: null, deletedAt: NOW }]) {
    await change(id, state);
    assert.equal(await find.findAuthorId(ledger.db, 'author'), undefined);
  }
  assert.equal(await find.findAuthorId(ledger.db, 'a\0'), undefined);
});

test('a name that looks like an existing or a reserved one is taken, and so is an address in any case', async () => {
  await add('taken');
  const register = (username: string, more: Partial<NewUser> = {}) =>
    registerUser(ledger.db, { ...describeUser(username), ...more }, ['reserved']);
  assert.deepEqual(await register('Taken'.toLowerCase()), { kind: 'taken', field: 'username' });
  assert.deepEqual(await register('reserved'), { kind: 'taken', field: 'username' });
  const taken = { email: 'TAKEN@example.org' };
  assert.deepEqual(await register('another', taken), { kind: 'taken', field: 'email' });
  const registered = await register('free');
  assert.ok(registered.kind === 'registered');
  const { emailConfirmedAt } = (await find.findUserByEmail(ledger.db, 'free@example.org')) ?? {};
  assert.equal(emailConfirmedAt, null);
  const mails = ledger.db
    .selectFrom('mails')
    .select(['kind', 'email', 'state', 'createdAt'])
    .where('userId', '=', registered.id);
  assert.deepEqual(await mails.execute(), [
    { kind: 'confirm_email', email: 'free@Example.org', state: 'pending', createdAt: NOW },
  ]);
});

test('a profile is shown while its account is confirmed and active, with its articles and followers', async () => {
  const id = await add('shown');
  const follower = await addPerson(ledger.db);
  const suspended = await addPerson(ledger.db);
  await change(suspended, { suspendedAt: NOW });
  for (const followerId of [follower, suspended]) {
    await ledger.db.insertInto('followers').values({ authorId: id, followerId }).execute();
  }
  await ledger.addArticle(id);
  await ledger.addArticle(id, { status: 'DRAFT' });
  const profile = { bio: 'A bio', links: ['https://shown.example'], pictureUrl: '/images/p.png' };
  await updateProfile(ledger.db, id, { ...profile, name: 'Shown' });
  await updateProfile(ledger.db, id, {});
  const expected = {
    ...{ id, username: 'shown', name: 'Shown', ...profile, trusted: false, createdAt: NOW },
    ...{ articleCount: 1, followerCount: 1 },
  };
  assert.deepEqual(await findPublicProfile(ledger.db, 'SHOWN'), expected);
  assert.equal(await findPublicProfile(ledger.db, 'a\0'), undefined);
  for (const state of [{ suspendedAt: NOW }, { suspendedAt: null, emailConfirmedAt: null }]) {
    await change(id, state);
    assert.equal(await findPublicProfile(ledger.db, 'shown'), undefined);
    assert.equal((await findOwnProfile(ledger.db, id))?.name, 'Shown');
  }
  await change(id, { deletedAt: NOW });
  assert.equal(await findOwnProfile(ledger.db, id), undefined);
  const gone = { code: 'UNAUTHENTICATED', message: 'This account no longer exists. Nothing was changed.' };
  await assert.rejects(updateProfile(ledger.db, id, { name: 'Late' }), gone);
});

test('a changed password ends the other sessions, expires reset links and is mailed', async () => {
  const userId = await add('changing');
  const open = async () => (await openSession(ledger.db, { userId, userAgent: null, now: NOW })).sessionId;
  const [sessionId, other] = [await open(), await open()];
  const to = { userId, sessionId, passwordHash: 'new', now: NOW };
  assert.equal(await changePassword(ledger.db, { ...to, from: 'another' }), null);
  assert.equal(await changePassword(ledger.db, { ...to, from: 'hash' }), 1);
  assert.equal((await find.findUserWithPassword(ledger.db, userId))?.passwordHash, 'new');
  const states = [sessionId, other].map((id) => findSessionStatus(ledger.db, { sessionId: id, userId, now: NOW }));
  assert.deepEqual(
    (await Promise.all(states)).map(({ state }) => state),
    ['open', 'ended'],
  );
  const mails = ledger.db.selectFrom('mails').select(['kind', 'email']).where('userId', '=', userId);
  assert.deepEqual(await mails.execute(), [{ kind: 'password_changed', email: 'changing@Example.org' }]);
});

test('a network is known after a sign-in of the account from it', async () => {
  const userId = await add('known');
  const key = Buffer.alloc(32, 1);
  const network = hashNetwork(key, { userId, network: '192.0.2.0/24' });
  await openSession(ledger.db, { userId, userAgent: null, network, now: NOW });
  await openSession(ledger.db, { userId: await add('stranger'), userAgent: null, now: NOW });
  const isKnown = (email: string, from: string, withKey = key) =>
    isKnownNetwork(ledger.db, withKey, { email, network: from });
  assert.equal(await isKnown('KNOWN@example.org', '192.0.2.0/24'), true);
  assert.equal(await isKnown('known@example.org', '198.51.100.0/24'), false);
  assert.equal(await isKnown('stranger@example.org', '192.0.2.0/24'), false);
  assert.equal(await isKnown('known@example.org', '192.0.2.0/24', Buffer.alloc(32, 2)), false);
});

test('each action of an operator is recorded, and says whether it changed the account', async () => {
  const id = await add('handled');
  const action = { operator: 'root@host', account: 'handled', now: NOW };
  const unknown = { ...action, account: 'nobody' };
  assert.equal(await operator.setTrusted(ledger.db, unknown, true), null);
  assert.deepEqual(
    [
      ...[await operator.setTrusted(ledger.db, action, true), await operator.setTrusted(ledger.db, action, true)],
      ...[await operator.setTrusted(ledger.db, action, false), await operator.setSuspended(ledger.db, action, true)],
      await operator.setSuspended(ledger.db, { ...action, now: LATER }, true),
    ],
    [true, false, true, true, false],
  );
  const read = () =>
    ledger.db.selectFrom('users').select(['trusted', 'suspendedAt']).where('id', '=', id).executeTakeFirst();
  assert.deepEqual(await read(), { trusted: false, suspendedAt: NOW });
  assert.equal(await operator.setSuspended(ledger.db, action, false), true);
  assert.equal(await operator.setSuspended(ledger.db, action, false), false);
  assert.deepEqual(await read(), { trusted: false, suspendedAt: null });

  const { token } = await createDeveloperToken(ledger.db, { userId: id, name: 'CI', now: NOW });
  await openSession(ledger.db, { userId: id, userAgent: null, now: NOW });
  assert.deepEqual(await operator.revokeAccess(ledger.db, action), { developerTokens: 1, sessions: 1 });
  assert.equal(await findTokenOwner(ledger.db, token, NOW), null);
  const link = { id: crypto.randomUUID(), expiresAt: LATER };
  const reset = await operator.createResetLink(ledger.db, action, link);
  assert.deepEqual(reset, { userId: id, email: 'handled@Example.org' });
  const links = ledger.db.selectFrom('mailLinks').select(['id', 'purpose', 'expiresAt']).where('userId', '=', id);
  assert.deepEqual(await links.execute(), [{ ...link, purpose: 'reset_password' }]);

  const recorded = await ledger.db.selectFrom('operatorActions').selectAll().where('userId', '=', id).execute();
  assert.deepEqual(
    recorded.map(({ action: name }) => name),
    [
      ...['trust', 'trust', 'untrust', 'suspend', 'suspend', 'unsuspend', 'unsuspend'],
      ...['revoke-tokens', 'reset-password'],
    ],
  );
  const [{ at, operator: by, username } = {}] = recorded;
  assert.deepEqual([at, by, username], [NOW, 'root@host', 'handled']);
});

test('a deleted account releases its address, keeps its name and loses everything that it wrote', async () => {
  const userId = await add('leaving');
  await change(userId, {
    bio: 'Me',
    links: ['https://me.example'],
    pictureUrl: '/p.png',
    trusted: true,
    storedBytes: 9,
  });
  await ledger.addConnection(userId);
  const articleId = await ledger.addArticle(userId, { title: 'Private', source: 'Private' });
  const deliveryId = await ledger.addDelivery(articleId, {
    attempts: [{ outcome: 'delivered', payload: JSON.stringify({ text: 'Private' }) }],
  });
  assert.equal(await deleteAccount(ledger.db, { userId, passwordHash: 'another', now: NOW }), false);
  assert.equal(await deleteAccount(ledger.db, { userId, passwordHash: 'hash', now: NOW }), true);
  const user = await ledger.db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow();
  assert.deepEqual(
    [user.username, user.name, user.email, user.deletedAt, user.emailConfirmedAt],
    ['leaving', 'Deleted account', `${userId}@deleted.invalid`, NOW, null],
  );
  assert.deepEqual([user.bio, user.links, user.pictureUrl, user.trusted, user.storedBytes], [null, [], null, false, 0]);
  assert.match(user.passwordHash, /^\$argon2id\$v=19\$m=65536,p=4,t=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  const { title, source, status, deletedAt } = await ledger.article(articleId);
  assert.deepEqual([title, source, status, deletedAt], ['', '', 'DRAFT', NOW]);
  assert.deepEqual(
    (await ledger.attempts(deliveryId)).map(({ payload }) => payload),
    [null],
  );
  const connections = ledger.db.selectFrom('connections').select('id').where('userId', '=', userId);
  assert.deepEqual(await connections.execute(), []);
  const gone = { code: 'UNAUTHENTICATED', message: 'This account no longer exists. Nothing was changed.' };
  await assert.rejects(deleteAccount(ledger.db, { userId, passwordHash: 'hash', now: NOW }), gone);
});

test('an export has all own rows of all pages, without deleted ones', async () => {
  const [userId, other] = [await add('exporting'), await add('not-exporting')];
  const slugs: string[] = [];
  for (let count = 0; count < 21; count++) slugs.push((await ledger.article(await ledger.addArticle(userId))).slug);
  const deleted = await ledger.addArticle(userId, { deletedAt: NOW });
  const articleId = await ledger.addArticle(other, { slug: 'commented' });
  const read = async <Row>(rows: AsyncIterable<Row>) => {
    const all: Row[] = [];
    for await (const row of rows) all.push(row);
    return all;
  };
  const articles = await read(readOwnArticles(ledger.db, userId));
  assert.deepEqual(articles.map(({ slug }) => slug).sort(), slugs.sort());
  assert.ok(!articles.some(({ id }) => id === deleted));

  const comment = { articleId, depth: 0, html: '', createdAt: NOW, body: 'Mine' };
  const comments = Array.from({ length: 501 }, () => ({ ...comment, userId }));
  await ledger.db.insertInto('comments').values(comments).execute();
  await ledger.db
    .insertInto('comments')
    .values([
      { ...comment, userId, deletedAt: NOW },
      { ...comment, userId: other },
    ])
    .execute();
  const exported = await read(readOwnComments(ledger.db, userId));
  assert.equal(new Set(exported.map(({ id }) => id)).size, 501);
  const [{ id: _, ...first } = {}] = exported;
  assert.deepEqual(first, { parentId: null, body: 'Mine', createdAt: NOW, slug: 'commented' });

  const image = { type: 'png', bytes: 1, createdAt: NOW } as const;
  const hashes = ['a', 'b'].map((letter) => letter.repeat(64));
  await ledger.db
    .insertInto('images')
    .values(hashes.map((hash) => ({ hash, ...image })))
    .execute();
  const owned = hashes.map((hash, index) => ({
    hash,
    authorId: index === 0 ? userId : other,
    bytes: 1,
    checkedAt: NOW,
  }));
  await ledger.db.insertInto('authorImages').values(owned).execute();
  assert.deepEqual(await read(readOwnImages(ledger.db, userId)), [{ hash: hashes[0], type: 'png', createdAt: NOW }]);
});
