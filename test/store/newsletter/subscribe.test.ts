/** Subscriptions of readers to an author's newsletter: request, confirmation, end. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { confirmSubscription, findOrAddSubscription, unsubscribeReader } from '../../../store/newsletter/subscribe.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';

let ledger: TestLedger;
let username: string;
before(async () => {
  ledger = await openTestLedger();
  username = (
    await ledger.db
      .selectFrom('users')
      .select('username')
      .where('id', '=', await ledger.addAuthor())
      .executeTakeFirstOrThrow()
  ).username;
});
after(() => ledger.close());

const NOW = new Date('2026-11-01T09:00:00Z');
const LATER = new Date('2026-11-02T09:00:00Z');
const request = (email: string, now = NOW, of = username) =>
  ledger.db.transaction().execute((tx) => findOrAddSubscription(tx, { username: of, email, now }));
const readRow = (id: string) =>
  ledger.db
    .selectFrom('newsletterSubscribers')
    .select(['email', 'createdAt', 'confirmedAt', 'unsubscribedAt'])
    .where('id', '=', id)
    .executeTakeFirst();

test('an address is added once, in any case, and a repeated request restarts its period', async () => {
  const { id, ...first } = await request('Eve@example.org');
  assert.deepEqual(first, { email: 'Eve@example.org', isConfirmed: false });
  assert.deepEqual(await request('EVE@example.org', LATER, username.toUpperCase()), { id, ...first });
  const none = { confirmedAt: null, unsubscribedAt: null };
  assert.deepEqual(await readRow(id), { email: 'Eve@example.org', createdAt: LATER, ...none });
  const other = await request('bob@example.org');
  assert.notEqual(other.id, id);
});

test('a confirmed address keeps its first confirmation and its period', async () => {
  const { id } = await request('confirmed@example.org');
  assert.equal(await confirmSubscription(ledger.db, id, NOW), username);
  assert.equal(await confirmSubscription(ledger.db, id, LATER), username);
  assert.equal((await request('confirmed@example.org', LATER)).isConfirmed, true);
  const { createdAt, confirmedAt } = (await readRow(id)) ?? {};
  assert.deepEqual([createdAt, confirmedAt], [NOW, NOW]);
  assert.equal(await confirmSubscription(ledger.db, crypto.randomUUID(), NOW), undefined);
});

test('an address that has unsubscribed counts as never confirmed, until its owner confirms it again', async () => {
  const { id } = await request('leaving@example.org');
  const { id: other } = await request('staying@example.org');
  for (const one of [id, other]) await confirmSubscription(ledger.db, one, NOW);
  for (const now of [NOW, LATER]) await unsubscribeReader(ledger.db, id, now);
  const left = await readRow(id);
  assert.deepEqual([left?.confirmedAt, left?.unsubscribedAt], [null, NOW]);
  assert.deepEqual((await readRow(other))?.confirmedAt, NOW);
  await confirmSubscription(ledger.db, id, LATER);
  const back = await readRow(id);
  assert.deepEqual([back?.confirmedAt, back?.unsubscribedAt], [LATER, null]);
});

test('an author who is unknown, suspended or deleted has no newsletter', async () => {
  const addAuthor = async (change: { suspendedAt?: Date; deletedAt?: Date }) => {
    const id = await ledger.addAuthor();
    await ledger.db.updateTable('users').set(change).where('id', '=', id).execute();
    return (await ledger.db.selectFrom('users').select('username').where('id', '=', id).executeTakeFirstOrThrow())
      .username;
  };
  const refusal = { code: 'NOT_FOUND', message: 'There is no author with this user name.', field: 'username' };
  const names = ['nobody', 'a\0', await addAuthor({ suspendedAt: NOW }), await addAuthor({ deletedAt: NOW })];
  for (const name of names) await assert.rejects(request('eve@example.org', NOW, name), refusal);
});
