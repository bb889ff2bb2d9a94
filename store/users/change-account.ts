/** Account changes by command or mailed link, each in one transaction with its consequences. */
import type { Transaction } from 'kysely';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { expireLinks, type FoundLink, markLinkUsed } from '../mail-links/links.ts';
import { enqueueMail } from '../mails/enqueue.ts';
import { endSessions } from '../sessions/end-sessions.ts';
import { revokeDeveloperTokens } from '../tokens/developer-tokens.ts';
import { replaceAccount } from './delete-account.ts';

/** Ends and counts the other sessions. Null if `from`, the verified hash, was replaced. */
export function changePassword(
  db: Database,
  change: { userId: string; sessionId: string; from: string; passwordHash: string; now: Date },
): Promise<number | null> {
  const { userId, sessionId, from, passwordHash, now } = change;
  return db.transaction().execute(async (tx) => {
    const user = await tx
      .selectFrom('users')
      .select('id')
      .where('id', '=', userId)
      .where('passwordHash', '=', from)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!user) return null;
    await replacePassword(tx, { userId, passwordHash, now });
    return endSessions(tx, { userId, except: sessionId, now });
  });
}

interface PasswordReset {
  link: FoundLink;
  passwordHash: string;
  keepDeveloperTokens: boolean;
  now: Date;
}

/** A first confirmation replaces the account by an empty one. Null if the link is used or expired. */
export function resetPassword(
  db: Database,
  { link, passwordHash, keepDeveloperTokens, now }: PasswordReset,
): Promise<{ isReplaced: boolean } | null> {
  return db.transaction().execute(async (tx) => {
    const user = await useLinkOfUser(tx, link, now);
    if (user === null) return null;
    const { id: userId, isConfirmed } = user;
    if (!isConfirmed) {
      const { id, email } = await replaceAccount(tx, { userId, passwordHash, now });
      await enqueueMail(tx, { kind: 'account_replaced', userId: id, email, now });
      return { isReplaced: true };
    }
    await replacePassword(tx, { userId, passwordHash, now });
    await endSessions(tx, { userId, now });
    if (!keepDeveloperTokens) await revokeDeveloperTokens(tx, userId, now);
    return { isReplaced: false };
  });
}

/** False if the link was used or expired meanwhile. */
export function confirmEmail(db: Database, link: FoundLink, now: Date): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const user = await useLinkOfUser(tx, link, now);
    if (user === null) return false;
    if (!user.isConfirmed)
      await tx.updateTable('users').set({ emailConfirmedAt: now }).where('id', '=', user.id).execute();
    return true;
  });
}

/** The user of a valid link that still matches the user's address; else null. */
async function useLinkOfUser(
  tx: Transaction<DB>,
  { id, userId, email }: FoundLink,
  now: Date,
): Promise<{ id: string; isConfirmed: boolean } | null> {
  if (userId === null) return null;
  // Not `for update`: a transaction that records an outcome locks a delivery, then references this
  // row. A deletion locks this row, then deliveries, so a full lock here would deadlock.
  const user = await tx
    .selectFrom('users')
    .select(['email', 'emailConfirmedAt'])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (user?.email !== email || !(await markLinkUsed(tx, id, now))) return null;
  return { id: userId, isConfirmed: user.emailConfirmedAt !== null };
}

/** Expires earlier reset links, and notifies the owner by mail. */
async function replacePassword(
  tx: Transaction<DB>,
  { userId, passwordHash, now }: { userId: string; passwordHash: string; now: Date },
): Promise<void> {
  const { email } = await tx
    .updateTable('users')
    .set({ passwordHash })
    .where('id', '=', userId)
    .returning('email')
    .executeTakeFirstOrThrow();
  await expireLinks(tx, userId, 'reset_password');
  await enqueueMail(tx, { kind: 'password_changed', userId, email, now });
}
