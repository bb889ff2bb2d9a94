/** Finds accounts: by address or id for sign-in, the viewer of a page, an author by user name. */
import { type Kysely, sql } from 'kysely';
import { RefusedCommandError } from '../commands/refused-command.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { isStorableName } from '../db/valid-keys.ts';

/** The account of an e-mail address in any case; undefined if there is none. */
export function findUserByEmail(db: Database, email: string) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'name', 'email', 'passwordHash', 'suspendedAt', 'emailConfirmedAt'])
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email.toLowerCase()))
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
}

/** Includes the password hash, for a signed-in user who must enter the password again. */
export function findUserWithPassword(db: Database, id: string) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'name', 'email', 'passwordHash'])
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
}

export interface Viewer {
  userId: string;
  sessionId: string;
  username: string;
  name: string;
  email: string;
  emailConfirmed: boolean;
  isOperator: boolean;
  pictureUrl: string | null;
  /** Null if none was chosen. */
  zone: string | null;
  /** Unread notifications. */
  unread: number;
}

/** The caller has checked the session. Undefined if the account is gone. */
export async function findViewer(
  db: Kysely<DB>,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<Viewer | undefined> {
  const row = await db
    .selectFrom('users')
    .select(['username', 'name', 'email', 'emailConfirmedAt', 'isOperator', 'pictureUrl'])
    .select(
      sql<number>`(select count(*) from notifications n
        where n.user_id = users.id and n.read_at is null and n.withdrawn_at is null)`.as('unread'),
    )
    .select(
      sql<string | null>`(select nullif(zone, 'UTC') from digest_settings d where d.user_id = users.id)`.as('zone'),
    )
    .where('id', '=', userId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  if (!row) return undefined;
  const { emailConfirmedAt, ...viewer } = row;
  return { ...viewer, userId, sessionId, emailConfirmed: emailConfirmedAt !== null };
}

/** The id of an active author; undefined if there is none with this user name. */
export async function findAuthorId(db: Pick<Kysely<DB>, 'selectFrom'>, username: string): Promise<string | undefined> {
  if (!isStorableName(username)) return undefined;
  const author = await db
    .selectFrom('users')
    .select('id')
    .where('username', '=', username.toLowerCase())
    .where('suspendedAt', 'is', null)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  return author?.id;
}

/** As `findAuthorId`. Throws NOT_FOUND. */
export async function requireAuthorId(db: Pick<Kysely<DB>, 'selectFrom'>, username: string): Promise<string> {
  const id = await findAuthorId(db, username);
  if (id === undefined)
    throw new RefusedCommandError('NOT_FOUND', 'There is no author with this user name.', 'username');
  return id;
}
