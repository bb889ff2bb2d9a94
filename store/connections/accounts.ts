/**
 * Finds and creates account rows, identified by the stable ids of a probe. Names and addresses can
 * change or move to another account; that does not change the ownership of posts.
 */
import { type Kysely, sql } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import type { DB } from '../db/types.ts';

export interface ProbedIdentity {
  /** Stable ids: the same for every probe of one account, different for two accounts. */
  identity: string;
  /** The display name. */
  name: string | null;
  /** The identity that a probe returned before the server had stable ids. */
  formerIdentity?: string | undefined;
}

export interface AccountTarget {
  userId: string;
  destination: DestinationKey;
  platform: string;
  baseUrl: string;
  account: ProbedIdentity;
}

/** Finds or creates the account's row, and returns its id. Callers lock the author. */
export async function findOrCreateAccount(db: Kysely<DB>, target: AccountTarget): Promise<string> {
  const { userId, destination, platform, baseUrl, account } = target;
  const { identity, name, formerIdentity = identity } = account;
  const origin = URL.canParse(baseUrl) ? new URL(baseUrl).origin : null;
  const rows = await db
    .selectFrom('accounts')
    .select(['id', 'identity'])
    .where('userId', '=', userId)
    .where('destination', '=', destination)
    .where('platform', '=', platform)
    .where('identity', 'in', [identity, formerIdentity])
    .execute();
  const known = rows.find((row) => row.identity === identity) ?? rows[0];
  if (known) {
    if (known.identity !== identity) await lockDeliveries(db, target);
    await db.updateTable('accounts').set({ identity, name, origin }).where('id', '=', known.id).execute();
    return known.id;
  }
  const values = { userId, destination, platform, identity, name, origin };
  return (await db.insertInto('accounts').values(values).returning('id').executeTakeFirstOrThrow()).id;
}

/**
 * Before the account: an attempt locks its delivery, then its account against a change of the key,
 * of which the identity is a part.
 */
async function lockDeliveries(db: Kysely<DB>, { userId, destination }: AccountTarget): Promise<void> {
  await sql`select from deliveries d join articles a on a.id = d.article_id
    where a.author_id = ${userId} and d.destination = ${destination} order by d.id for update of d`.execute(db);
}
