/**
 * Deletes an account in one transaction. The user name stays reserved, public addresses return 410,
 * comments lose their author, the ledger of copies stays. A test compares the lists with the
 * schema: a new table with users needs a decision here.
 */
import { sql, type Transaction } from 'kysely';
import { eraseArticlesOf } from '../articles/erase-articles.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { lockUser } from './lock-user.ts';
import { createUnusableHash } from './passwords.ts';

export interface AccountToDelete {
  userId: string;
  /** The hash of the verified password. */
  passwordHash: string;
  now: Date;
}

/** Rows deleted with the user, in this order: writers lock a counter before its rows. */
export const DELETED_ROWS = [
  ['article_origins', 'author_id'],
  // In the order in which page views are added.
  ['author_days', 'author_id'],
  ['author_day_hosts', 'author_id'],
  ['author_images', 'author_id'],
  ['connection_commands', 'user_id'],
  ['developer_tokens', 'user_id'],
  ['digest_settings', 'user_id'],
  ['digests', 'user_id'],
  ['followers', 'author_id'],
  ['followers', 'follower_id'],
  ['idempotency_keys', 'user_id'],
  ['imports', 'user_id'],
  ['mails', 'user_id'],
  ['mail_links', 'user_id'],
  ['newsletter_subscribers', 'author_id'],
  ['newsletter_subscribers', 'user_id'],
  ['notification_counters', 'user_id'],
  ['notifications', 'user_id'],
  ['notification_preferences', 'user_id'],
  ['reactions', 'user_id'],
  ['series', 'author_id'],
  ['sessions', 'user_id'],
] as const;

/** Other columns that refer to the user, and how this file changes their rows. */
export const OTHER_ROWS = [
  ['connections', 'user_id', 'deleted first: locks are taken in the order of connect'],
  ['accounts', 'user_id', 'without the name: a delivery says at which account its copy stands'],
  ['articles', 'author_id', 'erased: their addresses answer 410'],
  ['comments', 'user_id', 'null: what was said stays, among what others said'],
  ['operator_actions', 'user_id', 'as they are: what an operator did stays on record'],
] as const;

/** False if the verified password was replaced. Throws UNAUTHENTICATED if already deleted. */
export function deleteAccount(db: Database, account: AccountToDelete): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await lockUser(tx, account.userId);
    if (!(await isCurrentPassword(tx, account))) return false;
    await eraseAccount(tx, account);
    return true;
  });
}

/** The caller has locked the user's row. After the commit, earlier requests find no account. */
export async function eraseAccount(
  tx: Transaction<DB>,
  { userId, now }: Pick<AccountToDelete, 'userId' | 'now'>,
): Promise<void> {
  await tx.deleteFrom('connections').where('userId', '=', userId).execute();
  await lockDeliveries(tx, userId);
  await eraseArticlesOf(tx, userId, now);
  for (const [table, column] of DELETED_ROWS) {
    await sql`delete from ${sql.table(table)} where ${sql.ref(column)} = ${userId}`.execute(tx);
  }
  await tx.updateTable('accounts').set({ name: null }).where('userId', '=', userId).execute();
  await tx.updateTable('comments').set({ userId: null }).where('userId', '=', userId).execute();
  await eraseUser(tx, userId, now);
}

async function isCurrentPassword(tx: Transaction<DB>, { userId, passwordHash }: AccountToDelete): Promise<boolean> {
  const user = await tx.selectFrom('users').select('passwordHash').where('id', '=', userId).executeTakeFirst();
  return user?.passwordHash === passwordHash;
}

/**
 * Recording an outcome locks its delivery. So its notification is stored before and deleted below,
 * or is not stored, because the account is deleted. Also erases stored payloads.
 */
async function lockDeliveries(tx: Transaction<DB>, userId: string): Promise<void> {
  await sql`select 1 from deliveries d join articles a on a.id = d.article_id
    where a.author_id = ${userId} order by d.id for update of d`.execute(tx);
  await sql`update delivery_attempts t set payload = null from deliveries d join articles a on a.id = d.article_id
    where t.delivery_id = d.id and a.author_id = ${userId} and t.payload is not null`.execute(tx);
}

/** Releases the address for a new account. */
async function eraseUser(tx: Transaction<DB>, userId: string, now: Date): Promise<void> {
  await tx
    .updateTable('users')
    .set({
      deletedAt: now,
      email: `${userId}@deleted.invalid`,
      name: 'Deleted account',
      passwordHash: createUnusableHash(),
      trusted: false,
      isOperator: false,
      bio: null,
      contentSignal: null,
      links: [],
      pictureUrl: null,
      emailConfirmedAt: null,
      storedBytes: 0,
    })
    .where('id', '=', userId)
    .execute();
}

interface AccountToReplace {
  userId: string;
  /** The hash of the new account. */
  passwordHash: string;
  now: Date;
}

/** The caller has locked the user. Copies a suspension. Returns the new account. */
export async function replaceAccount(
  tx: Transaction<DB>,
  { userId, passwordHash, now }: AccountToReplace,
): Promise<{ id: string; email: string }> {
  const { username, email, suspendedAt } = await tx
    .selectFrom('users')
    .select(['username', 'email', 'suspendedAt'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  await eraseAccount(tx, { userId, now });
  await tx
    .updateTable('users')
    .set({ username: buildFormerName(userId) })
    .where('id', '=', userId)
    .execute();
  return tx
    .insertInto('users')
    .values({ username, name: username, email, passwordHash, suspendedAt, emailConfirmedAt: now, createdAt: now })
    .returning(['id', 'email'])
    .executeTakeFirstOrThrow();
}

/** A name that nobody can register, because of the double hyphen. At most 39 characters. */
function buildFormerName(userId: string): string {
  return `deleted--${userId.replaceAll('-', '').slice(0, 30)}`;
}
