/** Connections of an author: what connecting, refusing and disconnecting store, and what is listed. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Insertable } from 'kysely';
import { issueCommandNumber } from '../../../store/connections/command-order.ts';
import { connectDestination, connectUnlessOutdated, type NewConnection } from '../../../store/connections/connect.ts';
import { findOpenConnection, openConnection, resealCredentials } from '../../../store/connections/credentials.ts';
import { disconnectDestination } from '../../../store/connections/disconnect.ts';
import { findConnection, listConnections, listConnectionUses } from '../../../store/connections/list.ts';
import { refuseConnection } from '../../../store/connections/refuse.ts';
import type { DB } from '../../../store/db/types.ts';
import { createSealer } from '../../../store/secrets/sealing.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const [KEY, NEW_KEY] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const sealer = createSealer(KEY);

function describeConnection(userId: string, more: Partial<NewConnection> = {}): NewConnection {
  return {
    ...{ userId, destination: 'blogsite_a', platform: 'forem', baseUrl: 'https://forem.example/api' },
    ...{ credentials: { apiKey: 'secret' }, account: { identity: `of ${userId}`, name: '@ada' }, ...more },
  };
}
const connect = (userId: string, more: Partial<NewConnection> = {}) =>
  connectDestination(ledger.db, sealer, describeConnection(userId, more));
const read = (id: string) =>
  ledger.db.selectFrom('connections').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const change = (id: string, set: Partial<Insertable<DB['connections']>>) =>
  ledger.db.updateTable('connections').set(set).where('id', '=', id).execute();
const refuse = (id: string, version: number) =>
  ledger.db.transaction().execute((tx) => refuseConnection(tx, { id, version, reason: 'The key was revoked.' }));

test('a connection is stored with sealed credentials, which open for it only', async () => {
  const userId = await ledger.addAuthor();
  const { id } = await connect(userId);
  const fields = { userId, destination: 'blogsite_a', platform: 'forem', baseUrl: 'https://forem.example/api' };
  const opened = { id, ...fields, version: 1, credentials: { apiKey: 'secret' } };
  assert.deepEqual(await openConnection(ledger.db, sealer, id), opened);
  assert.deepEqual(await findOpenConnection(ledger.db, sealer, userId, 'blogsite_a'), opened);
  assert.equal(await findOpenConnection(ledger.db, sealer, userId, 'blogsite_b'), null);
  assert.equal(await openConnection(ledger.db, sealer, crypto.randomUUID()), null);
  for (const set of [{ platform: 'ghost' }, { baseUrl: 'https://other.example' }]) {
    await change(id, set);
    await assert.rejects(openConnection(ledger.db, sealer, id), { name: 'SealError' });
    await change(id, fields as never);
  }
});

test('a reconnection to the same account keeps its block, to another account it does not', async () => {
  const userId = await ledger.addAuthor();
  const { id } = await connect(userId);
  const { accountId } = await read(id);
  const blockedUntil = new Date('2050-01-01T00:00:00Z');
  await change(id, { blockedUntil, refusals: 3, status: 'unauthorised', statusReason: 'No.' });
  const account = { identity: `of ${userId}`, name: '@renamed' };
  assert.equal((await connect(userId, { account, credentials: { apiKey: 'new' } })).id, id);
  const same = await read(id);
  assert.deepEqual([same.accountId, same.blockedUntil, same.refusals], [accountId, blockedUntil, 3]);
  assert.deepEqual([same.version, same.status, same.statusReason], [2, 'active', null]);
  assert.deepEqual((await openConnection(ledger.db, sealer, id))?.credentials, { apiKey: 'new' });
  await connect(userId, { account: { identity: 'another', name: null } });
  const other = await read(id);
  assert.notEqual(other.accountId, accountId);
  assert.deepEqual([other.blockedUntil, other.refusals, other.version], [null, 0, 3]);
});

test('an account is recognised by its former identity, and gets the stable one', async () => {
  const userId = await ledger.addAuthor();
  await connect(userId, { account: { identity: 'name:ada', name: 'ada' } });
  await connect(userId, { account: { identity: 'id:7', name: 'ada', formerIdentity: 'name:ada' }, baseUrl: 'no url' });
  const accounts = ledger.db.selectFrom('accounts').select(['identity', 'name', 'origin']).where('userId', '=', userId);
  assert.deepEqual(await accounts.execute(), [{ identity: 'id:7', name: 'ada', origin: null }]);
  await connect(userId, { account: { identity: 'id:7', name: null, formerIdentity: 'name:eve' } });
  const origin = 'https://forem.example';
  assert.deepEqual(await accounts.execute(), [{ identity: 'id:7', name: null, origin }]);
});

test('the latest command counts, and a reconnection only replaces what was probed', async () => {
  const userId = await ledger.addAuthor();
  const [early, late] = [await issueCommandNumber(ledger.db), await issueCommandNumber(ledger.db)];
  const run = (number: number, replaced: { id: string; version: number } | null = null) =>
    connectUnlessOutdated(ledger.db, sealer, { number, replaced }, describeConnection(userId));
  const connected = await run(late);
  assert.ok(connected);
  for (const number of [early, late]) assert.equal(await run(number), null);
  const { id } = connected;
  const next = () => issueCommandNumber(ledger.db);
  assert.equal(await run(await next(), { id, version: 2 }), null);
  assert.equal(await run(await next(), { id: crypto.randomUUID(), version: 1 }), null);
  assert.deepEqual(await run(await next(), { id, version: 1 }), { id });
  const waiting = await next();
  assert.equal(await disconnectDestination(ledger.db, userId, 'blogsite_b'), false);
  assert.equal(await disconnectDestination(ledger.db, userId, 'blogsite_a'), true);
  assert.equal(await disconnectDestination(ledger.db, userId, 'blogsite_a'), false);
  assert.equal(await run(waiting), null);
  assert.equal(await findConnection(ledger.db, userId, 'blogsite_a'), undefined);
});

test('a refused credential is marked once, unless it was replaced', async () => {
  const { id } = await connect(await ledger.addAuthor());
  assert.equal(await refuse(id, 2), 'other credential');
  assert.equal(await refuse(crypto.randomUUID(), 1), 'other credential');
  assert.equal(await refuse(id, 1), 'marked');
  assert.equal(await refuse(id, 1), 'marked before');
  const { status, statusReason, version } = await read(id);
  assert.deepEqual([status, statusReason, version], ['unauthorised', 'The key was revoked.', 2]);
});

test('connections are listed by destination, with their use', async () => {
  const userId = await ledger.addAuthor();
  const { id: second } = await connect(userId, { destination: 'blogsite_b', account: { identity: 'b', name: null } });
  const { id } = await connect(userId);
  await connect(await ledger.addAuthor());
  const { createdAt, updatedAt } = await read(id);
  const [first, ...more] = await listConnections(ledger.db, userId);
  assert.deepEqual(first, {
    ...{ destination: 'blogsite_a', platform: 'forem', baseUrl: 'https://forem.example/api', account: '@ada' },
    ...{ status: 'active', statusReason: null, blockedUntil: null, createdAt, updatedAt },
  });
  assert.deepEqual(
    more.map(({ destination, account }) => [destination, account]),
    [['blogsite_b', null]],
  );
  assert.deepEqual(await findConnection(ledger.db, userId, 'blogsite_a'), {
    ...{ id, platform: 'forem', baseUrl: 'https://forem.example/api', version: 1, status: 'active' },
    statusReason: null,
  });

  const [sent, held] = [await ledger.addArticle(userId, { title: 'Sent' }), await ledger.addArticle(userId)];
  const copy = { remoteId: 'r', remoteUrl: 'https://there.example/r', contentHash: 'h', revision: 1 };
  const endedAt = new Date('2026-11-01T09:00:00Z');
  const earlier = new Date('2026-10-01T09:00:00Z');
  const attempts = [
    { outcome: 'delivered' as const, endedAt: earlier, startedAt: earlier },
    { outcome: 'adopted' as const, endedAt, startedAt: endedAt },
  ];
  await ledger.addDelivery(sent, { handledDispatch: 1, copy, attempts });
  await ledger.addDelivery(held, { dueAt: new Date() });
  const uses = async () =>
    (await listConnectionUses(ledger.db, userId)).toSorted((a, b) => (a.destination < b.destination ? -1 : 1));
  const last = { at: endedAt, title: 'Sent', url: 'https://there.example/r' };
  assert.deepEqual(await uses(), [
    { destination: 'blogsite_a', copies: 1, held: 0, last },
    { destination: 'blogsite_b', copies: 0, held: 0, last: null },
  ]);
  await refuse(id, 1);
  assert.equal((await uses())[0]?.held, 1);
  assert.ok(second);
});

test('credentials are sealed again with a new key, once', async () => {
  await ledger.db.deleteFrom('connections').execute();
  const { id } = await connect(await ledger.addAuthor());
  await connect(await ledger.addAuthor());
  const both = createSealer([NEW_KEY, KEY]);
  assert.equal(await resealCredentials(ledger.db, sealer), 0);
  assert.equal(await resealCredentials(ledger.db, both), 2);
  assert.equal(await resealCredentials(ledger.db, both), 0);
  const opened = await openConnection(ledger.db, createSealer(NEW_KEY), id);
  assert.deepEqual(opened?.credentials, { apiKey: 'secret' });
});
