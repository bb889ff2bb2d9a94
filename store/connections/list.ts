/** Reads connections without their credentials. */
import { type Kysely, sql } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';

/** The platform of each connected destination, including those with refused credentials. */
export type ConnectedPlatforms = Partial<Record<DestinationKey, string>>;

/** A column for queries on `users`. */
export const connectedPlatforms =
  sql<ConnectedPlatforms>`(select coalesce(jsonb_object_agg(destination, platform), '{}')
  from connections where user_id = users.id)`.as('platforms');

export function listConnections(db: Kysely<DB>, userId: string) {
  return db
    .selectFrom('connections')
    .innerJoin('accounts', 'accounts.id', 'connections.accountId')
    .select(['connections.destination', 'connections.platform', 'baseUrl', 'accounts.name as account', 'status'])
    .select(['statusReason', 'blockedUntil', 'connections.createdAt', 'connections.updatedAt'])
    .where('connections.userId', '=', userId)
    .orderBy('connections.destination')
    .execute();
}

export function findConnection(db: Database, userId: string, destination: DestinationKey) {
  return db
    .selectFrom('connections')
    .select(['id', 'platform', 'baseUrl', 'version', 'status', 'statusReason'])
    .where('userId', '=', userId)
    .where('destination', '=', destination)
    .executeTakeFirst();
}
