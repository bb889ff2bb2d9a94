import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Database } from '../../../store/db/database.ts';
import { openSession } from '../../../store/sessions/open-session.ts';
import { sweepUnconfirmedAccounts, UNCONFIRMED_DAYS } from '../../../store/users/sweep-unconfirmed.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';
import { addArticle, addPerson } from '../../support/readership.ts';

let database: OpenTestDatabase;
let db: Database;
before(async () => {
  database = await openTestDatabase();
  db = database.db;
});
after(() => database.close());

const NOW = new Date();
const LONG_AGO = daysAgo(UNCONFIRMED_DAYS + 1);

function daysAgo(days: number): Date {
  return new Date(NOW.getTime() - days * 86_400_000);
}

async function addAccount(change: Partial<Record<'createdAt' | 'emailConfirmedAt' | 'suspendedAt', Date>> = {}) {
  const id = await addPerson(db);
  await db
    .updateTable('users')
    .set({ createdAt: LONG_AGO, emailConfirmedAt: null, ...change })
    .where('id', '=', id)
    .execute();
  return id;
}

async function listKept(): Promise<Set<string>> {
  return new Set((await db.selectFrom('users').select('id').execute()).map(({ id }) => id));
}

test('an account that nobody confirmed within 30 days is forgotten with its sessions; one that holds something is kept', async () => {
  const forgotten = await addAccount();
  await openSession(db, { userId: forgotten, userAgent: null, now: LONG_AGO });
  const kept = [
    await addAccount({ createdAt: daysAgo(UNCONFIRMED_DAYS - 1) }),
    await addAccount({ emailConfirmedAt: LONG_AGO }),
    await addAccount({ suspendedAt: NOW }),
  ];
  const author = await addAccount();
  await addArticle(db, author);
  const follower = await addAccount();
  await db.insertInto('followers').values({ authorId: author, followerId: follower }).execute();
  await sweepUnconfirmedAccounts(db, NOW);
  assert.deepEqual(await listKept(), new Set([...kept, author, follower]));
});

test('an account whose row somebody holds is left to the next sweep', async () => {
  const id = await addAccount();
  await db.transaction().execute(async (tx) => {
    await tx.updateTable('users').set({ emailConfirmedAt: NOW }).where('id', '=', id).execute();
    await sweepUnconfirmedAccounts(db, NOW);
  });
  await sweepUnconfirmedAccounts(db, NOW);
  assert.ok((await listKept()).has(id));
});
