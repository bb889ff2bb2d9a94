/** Connects an author's account at a destination, and adapts the deliveries that depend on it. */
import type { Transaction } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { enqueueArticle } from '../outbox/enqueue.ts';
import type { Sealer } from '../secrets/sealing.ts';
import { sealCredentials } from './credentials.ts';

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
 * Connects a destination, or reconnects it: the credentials are replaced, the status is `active` again, and the articles whose deliveries
 * were held for it are put into the outbox.
 */
export function connectDestination(db: Database, sealer: Sealer, connection: NewConnection): Promise<{ id: string }> {
  return db.transaction().execute((tx) => putConnection(tx, sealer, connection));
}

/** As `connectDestination`; null, with nothing changed, if the connection `id` no longer exists. */
export function replaceConnection(
  db: Database,
  sealer: Sealer,
  id: string,
  connection: NewConnection,
): Promise<{ id: string } | null> {
  return db.transaction().execute(async (tx) => {
    const existing = await tx
      .selectFrom('connections')
      .select('id')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    return existing ? putConnection(tx, sealer, connection) : null;
  });
}

async function putConnection(tx: Transaction<DB>, sealer: Sealer, connection: NewConnection): Promise<{ id: string }> {
  const { userId, destination, platform, baseUrl, now } = connection;
  const credentialsSealed = sealCredentials(sealer, connection);
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

/** The new credentials cannot reach posts at another address or account, so these are no longer updated or withdrawn. */
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
