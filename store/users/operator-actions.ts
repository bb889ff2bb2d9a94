/** Operator actions on accounts, each recorded in the same transaction. */
import type { Transaction } from 'kysely';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { createLink } from '../mail-links/links.ts';
import { endSessions } from '../sessions/end-sessions.ts';
import { revokeDeveloperTokens } from '../tokens/developer-tokens.ts';

export interface OperatorAction {
  /** User and host of the machine that ran the command. */
  operator: string;
  /** A user name or an e-mail address, in lower case. */
  account: string;
  now: Date;
}

interface Account {
  id: string;
  username: string;
  email: string;
  trusted: boolean;
  suspendedAt: Date | null;
  isOperator: boolean;
}

/** Null if there is no such account. False if nothing changed. */
export function setTrusted(db: Database, action: OperatorAction, trusted: boolean): Promise<boolean | null> {
  return runOperatorAction(db, action, trusted ? 'trust' : 'untrust', async (tx, account) => {
    await tx.updateTable('users').set({ trusted }).where('id', '=', account.id).execute();
    return account.trusted !== trusted;
  });
}

export function setSuspended(db: Database, action: OperatorAction, suspended: boolean): Promise<boolean | null> {
  return runOperatorAction(db, action, suspended ? 'suspend' : 'unsuspend', async (tx, account) => {
    const suspendedAt = suspended ? (account.suspendedAt ?? action.now) : null;
    await tx.updateTable('users').set({ suspendedAt }).where('id', '=', account.id).execute();
    return (account.suspendedAt !== null) !== suspended;
  });
}

export function setOperator(db: Database, action: OperatorAction, isOperator: boolean): Promise<boolean | null> {
  return runOperatorAction(db, action, isOperator ? 'make-operator' : 'remove-operator', async (tx, account) => {
    await tx.updateTable('users').set({ isOperator }).where('id', '=', account.id).execute();
    return account.isOperator !== isOperator;
  });
}

/** Creates a link for setting a new password. The result is needed to sign its token. */
export function createResetLink(
  db: Database,
  action: OperatorAction,
  link: { id: string; expiresAt: Date },
): Promise<{ userId: string; email: string } | null> {
  return runOperatorAction(db, action, 'reset-password', async (tx, { id: userId, email }) => {
    await createLink(tx, { ...link, purpose: 'reset_password', userId, subscriberId: null, email, now: action.now });
    return { userId, email };
  });
}

/** Ends every access except the password: developer tokens and sessions. */
export function revokeAccess(
  db: Database,
  action: OperatorAction,
): Promise<{ developerTokens: number; sessions: number } | null> {
  return runOperatorAction(db, action, 'revoke-tokens', async (tx, { id: userId }) => ({
    developerTokens: await revokeDeveloperTokens(tx, userId, action.now),
    sessions: await endSessions(tx, { userId, now: action.now }),
  }));
}

function runOperatorAction<Result>(
  db: Database,
  { operator, account: nameOrEmail, now }: OperatorAction,
  action: string,
  change: (tx: Transaction<DB>, account: Account) => Promise<Result>,
): Promise<Result | null> {
  return db.transaction().execute(async (tx) => {
    const account = await tx
      .selectFrom('users')
      .select(['id', 'username', 'email', 'trusted', 'suspendedAt', 'isOperator'])
      // A user name contains no @.
      .where((eb) => (nameOrEmail.includes('@') ? eb.fn('lower', ['email']) : eb.ref('username')), '=', nameOrEmail)
      // The user name of a deleted account stays reserved.
      .where('deletedAt', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (!account) return null;
    const result = await change(tx, account);
    await tx
      .insertInto('operatorActions')
      .values({ at: now, operator, action, userId: account.id, username: account.username })
      .execute();
    return result;
  });
}
