/** What somebody changes about an account by a command or by a link in a mail, with what follows from it, each in one transaction. */
import type { Transaction } from 'kysely';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { closeLinks, type FoundLink, useUpLink } from '../mail-links/links.ts';
import { enqueueMail } from '../mails/enqueue.ts';
import { endSessions } from '../sessions/end-sessions.ts';

/** Ends the other sessions; returns how many. Null where the password that was shown, `from`, was replaced meanwhile. */
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

/** Ends all sessions. The link came to the address, so that is confirmed too. False if the link was used or expired meanwhile. */
export function resetPassword(
  db: Database,
  { link, passwordHash, now }: { link: FoundLink; passwordHash: string; now: Date },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const userId = await useLinkOfUser(tx, link, now);
    if (userId === null) return false;
    await confirmAddress(tx, userId, now);
    await replacePassword(tx, { userId, passwordHash, now });
    await endSessions(tx, { userId, now });
    return true;
  });
}

/** False if the link was used or expired meanwhile. */
export function confirmEmail(db: Database, link: FoundLink, now: Date): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const userId = await useLinkOfUser(tx, link, now);
    if (userId === null) return false;
    await confirmAddress(tx, userId, now);
    return true;
  });
}

/** The user of a link, if it is good and its address is still that user's; null otherwise. */
async function useLinkOfUser(tx: Transaction<DB>, { id, userId, email }: FoundLink, now: Date): Promise<string | null> {
  if (userId === null) return null;
  const user = await tx.selectFrom('users').select('email').where('id', '=', userId).forUpdate().executeTakeFirst();
  return user?.email === email && (await useUpLink(tx, id, now)) ? userId : null;
}

async function confirmAddress(tx: Transaction<DB>, userId: string, now: Date): Promise<void> {
  await tx
    .updateTable('users')
    .set({ emailConfirmedAt: now })
    .where('id', '=', userId)
    .where('emailConfirmedAt', 'is', null)
    .execute();
}

/** Earlier links that would replace it again end, and its owner is told by mail. */
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
  await closeLinks(tx, userId, 'reset_password', now);
  await enqueueMail(tx, { kind: 'password_changed', userId, email, now });
}
