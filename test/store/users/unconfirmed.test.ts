/** The sweep of unconfirmed accounts. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { Database } from '../../../store/db/database.ts';
import { createLink } from '../../../store/mail-links/links.ts';
import { enqueueMail } from '../../../store/mails/enqueue.ts';
import { openSession } from '../../../store/sessions/open-session.ts';
import { MAX_UNCONFIRMED_ACCOUNT_DAYS, sweepUnconfirmedAccounts } from '../../../store/users/sweep-unconfirmed.ts';
import { addArticle, addPerson } from '../../support/api/readership.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';

let database: OpenTestDatabase;
let db: Database;
before(async () => {
  database = await openTestDatabase();
  db = database.db;
});
after(() => database.close());

const NOW = new Date();
const LONG_AGO = daysAgo(MAX_UNCONFIRMED_ACCOUNT_DAYS + 1);

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

async function listUserIds(): Promise<Set<string>> {
  return new Set((await db.selectFrom('users').select('id').execute()).map(({ id }) => id));
}

test('an account not confirmed within 30 days is deleted with its rows, unless it has an article, even a deleted one', async () => {
  const abandoned = await addAccount();
  await openSession(db, { userId: abandoned, userAgent: null, now: LONG_AGO });
  const remaining = [
    await addAccount({ createdAt: daysAgo(MAX_UNCONFIRMED_ACCOUNT_DAYS - 1) }),
    await addAccount({ emailConfirmedAt: LONG_AGO }),
    await addAccount({ suspendedAt: NOW }),
  ];
  const author = await addAccount();
  const { id: articleId } = await addArticle(db, author);
  const reader = await addAccount();
  await db.insertInto('followers').values({ authorId: author, followerId: reader }).execute();
  await db.insertInto('reactions').values({ articleId, userId: reader }).execute();
  await db.insertInto('series').values({ authorId: reader, title: 'S', titleKey: 's', createdAt: LONG_AGO }).execute();
  const former = await addAccount();
  const deleted = await addArticle(db, former);
  await db.updateTable('articles').set({ deletedAt: NOW }).where('id', '=', deleted.id).execute();
  await sweepUnconfirmedAccounts(db, NOW);
  // The address of its article returns 410, and its deliveries name existing copies.
  assert.deepEqual(await listUserIds(), new Set([...remaining, author, former]));
});

test('an account is not deleted while a mail with its link is pending or the link is open', async () => {
  const [asked, mailed, late] = [await addAccount(), await addAccount(), await addAccount()];
  await enqueueMail(db, { kind: 'confirm_email', userId: asked, email: 'asked@example.org', now: NOW });
  const link = { purpose: 'confirm_email', subscriberId: null, email: 'mailed@example.org', now: LONG_AGO } as const;
  await createLink(db, { ...link, id: randomUUID(), userId: mailed, expiresAt: new Date(NOW.getTime() + 1) });
  await createLink(db, { ...link, id: randomUUID(), userId: late, expiresAt: NOW });
  await sweepUnconfirmedAccounts(db, NOW);
  const remaining = await listUserIds();
  assert.deepEqual(
    [asked, mailed, late].map((id) => remaining.has(id)),
    [true, true, false],
  );
});

test('a locked account is not deleted before the next sweep', async () => {
  const id = await addAccount();
  await db.transaction().execute(async (tx) => {
    await tx.updateTable('users').set({ emailConfirmedAt: NOW }).where('id', '=', id).execute();
    await sweepUnconfirmedAccounts(db, NOW);
  });
  await sweepUnconfirmedAccounts(db, NOW);
  assert.ok((await listUserIds()).has(id));
});
