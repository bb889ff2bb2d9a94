/** The accounts at destinations that an author connected, with their sealed credentials. */
import { type Kysely, sql, type Transaction } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { enqueueArticle } from '../outbox/outbox.ts';
import type { Sealer } from '../secrets/sealing.ts';

export interface NewConnection {
  userId: string;
  destination: DestinationKey;
  platform: string;
  baseUrl: string;
  credentials: Record<string, string>;
  account?: string | null;
  now: Date;
}

/**
 * Connects a destination, or connects it anew: the credentials are replaced, an `unauthorised` mark is lifted, and the
 * articles whose deliveries were held for it are put into the outbox.
 */
export function connectDestination(db: Database, sealer: Sealer, connection: NewConnection): Promise<{ id: string }> {
  return db.transaction().execute((tx) => putConnection(tx, sealer, connection));
}

/** As `connectDestination`, and null, with nothing changed, where the connection `id` is not there any more. */
export function replaceConnection(
  db: Database,
  sealer: Sealer,
  id: string,
  connection: NewConnection,
): Promise<{ id: string } | null> {
  return db.transaction().execute(async (tx) => {
    const there = await tx.selectFrom('connections').select('id').where('id', '=', id).forUpdate().executeTakeFirst();
    return there ? putConnection(tx, sealer, connection) : null;
  });
}

async function putConnection(tx: Transaction<DB>, sealer: Sealer, connection: NewConnection): Promise<{ id: string }> {
  const { userId, destination, platform, baseUrl, now } = connection;
  const credentialsSealed = sealer.seal(JSON.stringify(connection.credentials), sealContext(userId, destination));
  const values = {
    platform,
    baseUrl,
    credentialsSealed,
    account: connection.account ?? null,
    status: 'active' as const,
    statusReason: null,
    blockedUntil: null,
    updatedAt: now,
  };
  await leaveFormerAccount(tx, connection);
  const row = await tx
    .insertInto('connections')
    .values({ userId, destination, ...values })
    .onConflict((conflict) =>
      conflict
        .columns(['userId', 'destination'])
        .doUpdateSet((eb) => ({ ...values, generation: eb('connections.generation', '+', 1) })),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  await releaseHeldDeliveries(tx, row.id, connection);
  return row;
}

/** Forgets a connection. Deliveries that wait for it find nothing to send with (F26); what was delivered stays listed. */
export async function disconnectDestination(
  db: Database,
  userId: string,
  destination: DestinationKey,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('connections')
    .where('userId', '=', userId)
    .where('destination', '=', destination)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

export async function listConnectedDestinations(db: Kysely<DB>, userId: string): Promise<DestinationKey[]> {
  const rows = await db.selectFrom('connections').select('destination').where('userId', '=', userId).execute();
  return rows.map((row) => row.destination);
}

/** Platform of each destination that is connected, whether its credential is still taken or not. */
export type ConnectedPlatforms = Partial<Record<DestinationKey, string>>;

/** A column for a query over `users`. */
export const connectedPlatforms =
  sql<ConnectedPlatforms>`(select coalesce(jsonb_object_agg(destination, platform), '{}')
  from connections where user_id = users.id)`.as('platforms');
/** An author's connections, without what opens them. */
export function listConnections(db: Kysely<DB>, userId: string) {
  return db
    .selectFrom('connections')
    .select(['destination', 'platform', 'baseUrl', 'account', 'status', 'statusReason', 'blockedUntil'])
    .select(['createdAt', 'updatedAt'])
    .where('userId', '=', userId)
    .orderBy('destination')
    .execute();
}

export interface OpenedConnection {
  id: string;
  userId: string;
  destination: DestinationKey;
  platform: string;
  baseUrl: string;
  generation: number;
  credentials: Record<string, string>;
}

/** A connection with its credentials in the clear, for one call; null where it is gone. Never to be logged or returned by an activity. */
export async function openConnection(db: Database, sealer: Sealer, id: string): Promise<OpenedConnection | null> {
  const row = await db
    .selectFrom('connections')
    .select(['id', 'userId', 'destination', 'platform', 'baseUrl', 'generation', 'credentialsSealed'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) return null;
  const { credentialsSealed, ...rest } = row;
  const plain = sealer.open(credentialsSealed, sealContext(row.userId, row.destination));
  return { ...rest, credentials: JSON.parse(plain) as Record<string, string> };
}

/** As `openConnection`, by its place among the author's own. */
export async function findOpenConnection(
  db: Database,
  sealer: Sealer,
  userId: string,
  destination: DestinationKey,
): Promise<OpenedConnection | null> {
  const row = await findConnection(db, userId, destination);
  return row ? openConnection(db, sealer, row.id) : null;
}

/** An author's connection under a key, without its credentials. */
export function findConnection(db: Database, userId: string, destination: DestinationKey) {
  return db
    .selectFrom('connections')
    .select(['id', 'platform', 'baseUrl'])
    .where('userId', '=', userId)
    .where('destination', '=', destination)
    .executeTakeFirst();
}

/** Posts at another place or account are out of reach of the new credential: they are no longer what an update would change. */
async function leaveFormerAccount(tx: Transaction<DB>, connection: NewConnection): Promise<void> {
  const { userId, destination, now } = connection;
  const former = await tx
    .selectFrom('connections')
    .select(['platform', 'baseUrl', 'account'])
    .where('userId', '=', userId)
    .where('destination', '=', destination)
    .forUpdate()
    .executeTakeFirst();
  const account = connection.account ?? null;
  const moved =
    former !== undefined &&
    (former.platform !== connection.platform ||
      former.baseUrl !== connection.baseUrl ||
      (former.account !== null && account !== null && former.account !== account));
  if (!moved) return;
  await tx
    .updateTable('deliveries')
    .from('articles')
    .set((eb) => ({
      state: 'failed',
      remoteId: null,
      deliveredHash: null,
      inFlightAction: null,
      attempts: eb('deliveries.attempts', '+', 1),
      handledDispatch: eb.ref('articles.dispatch'),
      lastErrorCode: 'account_changed',
      lastError:
        'The copy is at the account that was connected before. Publish again to send the article to the new one.',
      updatedAt: now,
    }))
    .whereRef('articles.id', '=', 'deliveries.articleId')
    .where('articles.authorId', '=', userId)
    .where('deliveries.destination', '=', destination)
    .where((eb) => eb.or([eb('deliveries.remoteId', 'is not', null), eb('deliveries.inFlightAction', 'is not', null)]))
    .execute();
}

async function releaseHeldDeliveries(
  tx: Transaction<DB>,
  connectionId: string,
  { userId, destination, now }: NewConnection,
): Promise<void> {
  const held = await tx
    .updateTable('deliveries')
    .from('articles')
    .set({ state: 'pending', connectionId, lastError: null, lastErrorCode: null })
    .whereRef('articles.id', '=', 'deliveries.articleId')
    .where('articles.authorId', '=', userId)
    .where('deliveries.destination', '=', destination)
    .where('deliveries.state', '=', 'held')
    .returning('deliveries.articleId')
    .execute();
  for (const { articleId } of held) await enqueueArticle(tx, articleId);
  if (held.length === 0) return;
  const ids = held.map(({ articleId }) => articleId);
  await tx.updateTable('articles').set({ dispatchedAt: now }).where('id', 'in', ids).execute();
}

function sealContext(userId: string, destination: DestinationKey): string {
  return `connection/${userId}/${destination}`;
}
