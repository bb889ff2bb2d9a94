/** The accounts at destinations that an author connected, with their sealed credentials and their rate budget. */
import { type Kysely, sql, type Transaction } from 'kysely';
import type { DestinationKey } from '../article/types.ts';
import type { Database } from './database.ts';
import { enqueueArticle } from './outbox.ts';
import type { Sealer } from './sealing.ts';
import type { DB } from './types.ts';

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
  return db.transaction().execute(async (tx) => {
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
  });
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
  const row = await db
    .selectFrom('connections')
    .select('id')
    .where('userId', '=', userId)
    .where('destination', '=', destination)
    .executeTakeFirst();
  return row ? openConnection(db, sealer, row.id) : null;
}

/** Null where the connection is gone. */
export async function findPlatform(db: Database, id: string): Promise<string | null> {
  const row = await db.selectFrom('connections').select('platform').where('id', '=', id).executeTakeFirst();
  return row?.platform ?? null;
}

/**
 * Takes the next turn of an account's rate budget: GCRA in one statement, so that any number of workers agree and each caller
 * gets a moment of its own. Answers the milliseconds until that moment; 0 is now, and where the connection is gone.
 */
export async function takeTurn(
  db: Database,
  connectionId: string,
  pacing: { intervalMs: number; burst: number },
): Promise<number> {
  const interval = sql`make_interval(secs => ${pacing.intervalMs / 1000})`;
  const tolerance = sql`make_interval(secs => ${(pacing.intervalMs * (pacing.burst - 1)) / 1000})`;
  const { rows } = await sql<{ waitMs: number }>`
    update connections set arrival_at = greatest(arrival_at, clock_timestamp()) + ${interval}
    where id = ${connectionId}
    returning (extract(epoch from arrival_at - ${interval} - ${tolerance} - clock_timestamp()) * 1000)::float8 as wait_ms
  `.execute(db);
  return Math.max(0, Math.ceil(rows[0]?.waitMs ?? 0));
}

/** A 429 speaks for the whole account: turns begin again at `until`, and those that were given out before are void. */
export async function blockConnection(db: Database, connectionId: string, forMs: number): Promise<void> {
  const until = sql`clock_timestamp() + make_interval(secs => ${forMs / 1000})`;
  await sql`update connections set blocked_until = greatest(blocked_until, ${until}), arrival_at = greatest(arrival_at, ${until})
    where id = ${connectionId}`.execute(db);
}

/**
 * The credential is refused: marks the connection and holds all that waits for it. `marked` to exactly one of those who find it out; it is
 * the one to tell the author. `other credential` where it was connected anew meanwhile.
 */
export async function refuseConnection(
  tx: Transaction<DB>,
  refusal: { id: string; generation: number; reason: string; now: Date },
): Promise<'marked' | 'marked before' | 'other credential'> {
  const { id, generation, reason, now } = refusal;
  const connection = await tx
    .selectFrom('connections')
    .select(['status', 'generation'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (connection?.generation !== generation) return 'other credential';
  if (connection.status === 'unauthorised') return 'marked before';
  await tx
    .updateTable('connections')
    .set({ status: 'unauthorised', statusReason: reason, updatedAt: now })
    .where('id', '=', id)
    .execute();
  await holdWaiting(tx, id, heldFor(reason, now));
  return 'marked';
}

/** What a delivery's row says while its connection is refused. */
export function heldFor(reason: string, now: Date) {
  return {
    state: 'held',
    lastErrorCode: 'unauthorised',
    lastError: reason,
    nextAttemptAt: null,
    updatedAt: now,
  } as const;
}

async function holdWaiting(tx: Transaction<DB>, connectionId: string, held: ReturnType<typeof heldFor>): Promise<void> {
  await tx
    .updateTable('deliveries')
    .from(['articles', 'connections'])
    .set({ ...held, connectionId })
    .where('connections.id', '=', connectionId)
    .whereRef('articles.id', '=', 'deliveries.articleId')
    .whereRef('articles.authorId', '=', 'connections.userId')
    .whereRef('deliveries.destination', '=', 'connections.destination')
    .where('deliveries.state', 'in', ['pending', 'stale'])
    .where('deliveries.withdrawnAt', 'is', null)
    .execute();
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
