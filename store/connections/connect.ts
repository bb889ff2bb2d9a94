/** Connects an author's account at a destination, and adapts the deliveries that depend on it. */
import type { Transaction } from 'kysely';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { enqueueArticle } from '../outbox/enqueue.ts';
import type { Sealer } from '../secrets/sealing.ts';
import { lockAccount } from '../users/lock-account.ts';
import { provideAccount, type Whose } from './accounts.ts';
import { numberCommand, recordCommand } from './command-order.ts';
import { sealCredentials } from './credentials.ts';
import { moveDeliveries } from './move-deliveries.ts';
import { NO_SLOT } from './rate-budget.ts';

export interface NewConnection extends Omit<Whose, 'account'> {
  credentials: Record<string, string>;
  /** Who the probe found; null where nobody was asked. */
  account?: Whose['account'];
  now: Date;
}

/**
 * Connects a destination, or reconnects it: the credentials are replaced, the status is `active` again, and the articles whose deliveries
 * were held for it are put into the outbox.
 */
export function connectDestination(db: Database, sealer: Sealer, connection: NewConnection): Promise<{ id: string }> {
  return db.transaction().execute(async (tx) => {
    await lockAccount(tx, connection.userId);
    await recordCommand(tx, { ...connection, number: await numberCommand(tx) });
    return putConnection(tx, sealer, connection);
  });
}

export interface ConnectCommand {
  /** As `numberCommand` gave it when the command came in. */
  number: number;
  /** What a reconnection tried again; null where any connection is to be replaced. */
  replaced: { id: string; credentialVersion: number } | null;
}

/**
 * As `connectDestination`, for a credential that was tried meanwhile; null, with nothing changed, if a later command of the author has been
 * carried out, or `replaced` is not what is connected.
 */
export function connectUnlessOutdated(
  db: Database,
  sealer: Sealer,
  { number, replaced }: ConnectCommand,
  connection: NewConnection,
): Promise<{ id: string } | null> {
  return db.transaction().execute(async (tx) => {
    await lockAccount(tx, connection.userId);
    if (replaced && !(await isStillConnected(tx, replaced))) return null;
    return (await recordCommand(tx, { ...connection, number })) ? putConnection(tx, sealer, connection) : null;
  });
}

async function isStillConnected(
  tx: Transaction<DB>,
  { id, credentialVersion }: NonNullable<ConnectCommand['replaced']>,
): Promise<boolean> {
  const existing = await tx
    .selectFrom('connections')
    .select('id')
    .where('id', '=', id)
    .where('generation', '=', credentialVersion)
    .forUpdate()
    .executeTakeFirst();
  return existing !== undefined;
}

async function putConnection(tx: Transaction<DB>, sealer: Sealer, connection: NewConnection): Promise<{ id: string }> {
  const { userId, destination, platform, baseUrl, account = null, now } = connection;
  const former = await lockConnection(tx, connection);
  const isSamePlace = former?.platform === platform && former.baseUrl === baseUrl;
  // Nobody asked who it is: at the same address it is the same account.
  const accountId =
    former && isSamePlace && account === null ? former.accountId : await provideAccount(tx, { ...connection, account });
  // Read again: the former account may have turned out to be this one.
  const isSameAccount = former !== undefined && (await lockConnection(tx, connection))?.accountId === accountId;
  const values = {
    platform,
    baseUrl,
    accountId,
    credentialsSealed: sealCredentials(sealer, connection),
    status: 'active' as const,
    statusReason: null,
    updatedAt: now,
    // A pause belongs to the account, whichever key it is used with.
    ...(isSameAccount ? {} : { blockedUntil: null, arrivalAt: now, refusals: 0 }),
  };
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
  if (!isSameAccount) await tx.updateTable('deliveries').set(NO_SLOT).where('slotConnectionId', '=', row.id).execute();
  await moveDeliveries(tx, { userId, destination, accountId, now });
  await releaseHeldDeliveries(tx, row.id, connection);
  return row;
}

function lockConnection(tx: Transaction<DB>, { userId, destination }: NewConnection) {
  return tx
    .selectFrom('connections')
    .select(['platform', 'baseUrl', 'accountId'])
    .where('userId', '=', userId)
    .where('destination', '=', destination)
    .forUpdate()
    .executeTakeFirst();
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
