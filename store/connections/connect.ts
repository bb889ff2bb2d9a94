/** Connects an author's account at a destination, and releases or clears its deliveries. */
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Database } from '../db/database.ts';
import { NOW } from '../db/now.ts';
import type { DB } from '../db/types.ts';
import type { Sealer } from '../secrets/sealing.ts';
import { lockUser } from '../users/lock-user.ts';
import { type AccountTarget, findOrCreateAccount } from './accounts.ts';
import { issueCommandNumber, recordCommand } from './command-order.ts';
import { sealCredentials } from './credentials.ts';

export interface NewConnection extends AccountTarget {
  credentials: Record<string, string>;
}

/** Connects or reconnects a destination, and puts its held deliveries into the outbox. */
export function connectDestination(db: Database, sealer: Sealer, connection: NewConnection): Promise<{ id: string }> {
  return db.transaction().execute(async (tx) => {
    await lockUser(tx, connection.userId);
    await recordCommand(tx, { ...connection, number: await issueCommandNumber(tx) });
    return putConnection(tx, sealer, connection);
  });
}

export interface ConnectCommand {
  /** From `issueCommandNumber`, when the command was received. */
  number: number;
  /** The connection that a reconnection probed; null to replace any. */
  replaced: { id: string; version: number } | null;
}

/** After a probe. Null if a later command was executed or `replaced` is not the connection. */
export function connectUnlessOutdated(
  db: Database,
  sealer: Sealer,
  { number, replaced }: ConnectCommand,
  connection: NewConnection,
): Promise<{ id: string } | null> {
  return db.transaction().execute(async (tx) => {
    await lockUser(tx, connection.userId);
    if (replaced && !(await isStillConnected(tx, replaced))) return null;
    return (await recordCommand(tx, { ...connection, number })) ? putConnection(tx, sealer, connection) : null;
  });
}

async function isStillConnected(
  tx: Transaction<DB>,
  { id, version }: NonNullable<ConnectCommand['replaced']>,
): Promise<boolean> {
  const existing = await tx
    .selectFrom('connections')
    .select('id')
    .where('id', '=', id)
    .where('version', '=', version)
    .forUpdate()
    .executeTakeFirst();
  return existing !== undefined;
}

async function putConnection(tx: Transaction<DB>, sealer: Sealer, connection: NewConnection): Promise<{ id: string }> {
  const { userId, destination, platform, baseUrl } = connection;
  const former = await lockConnection(tx, connection);
  const accountId = await findOrCreateAccount(tx, connection);
  const isSameAccount = former?.accountId === accountId;
  const values = {
    platform,
    baseUrl,
    accountId,
    credentialsSealed: sealCredentials(sealer, connection),
    status: 'active' as const,
    statusReason: null,
    updatedAt: NOW,
    // A block belongs to the account, not to the credential.
    ...(isSameAccount ? {} : { blockedUntil: null, arrivalAt: NOW, refusals: 0 }),
  };
  const row = await tx
    .insertInto('connections')
    .values({ userId, destination, ...values })
    .onConflict((conflict) =>
      conflict
        .columns(['userId', 'destination'])
        .doUpdateSet((eb) => ({ ...values, version: eb('connections.version', '+', 1) })),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  const lastAccountId = former?.accountId ?? (await findLastAccount(tx, connection));
  await tx.updateTable('accounts').set({ connectedAt: NOW }).where('id', '=', accountId).execute();
  const isReconnection = isSameAccount || lastAccountId === accountId;
  await (isReconnection ? releaseDeliveries : clearDeliveries)(tx, { ...connection, accountId });
  return row;
}

/** The last connected account, after a disconnection. */
async function findLastAccount(tx: Transaction<DB>, { userId, destination }: NewConnection): Promise<string | null> {
  const row = await tx
    .selectFrom('accounts')
    .select('id')
    .where('userId', '=', userId)
    .where('destination', '=', destination)
    .where('connectedAt', 'is not', null)
    .orderBy('connectedAt', 'desc')
    .executeTakeFirst();
  return row?.id ?? null;
}

function lockConnection(tx: Transaction<DB>, { userId, destination }: NewConnection) {
  return tx
    .selectFrom('connections')
    .select('accountId')
    .where('userId', '=', userId)
    .where('destination', '=', destination)
    .forUpdate()
    .executeTakeFirst();
}

type Connected = NewConnection & { accountId: string };

/** The same account, with no other connected in between: sends its held deliveries. */
function releaseDeliveries(tx: Transaction<DB>, connected: Connected): Promise<void> {
  return wake(tx, connected, { isDue: sql`d.due_at is not null`, isOwed: sql`false` });
}

/**
 * Another account: clears all due deliveries, without a send, a failure or a notification. Sends
 * only due withdrawals of copies at this account, and resolves its open attempts.
 */
async function clearDeliveries(tx: Transaction<DB>, connected: Connected): Promise<void> {
  const { userId, destination } = connected;
  await sql`update deliveries d set handled_dispatch = a.dispatch, due_at = null, version = d.version + 1, slot_at = null, slot_connection_id = null
    from articles a where a.id = d.article_id and a.author_id = ${userId} and d.destination = ${destination}`.execute(
    tx,
  );
  const isOwed = sql`(s.should_be_withdrawn and exists (select from copies c where c.id = s.copy_id and c.may_be_live))`;
  await wake(tx, connected, { isDue: sql`(${isOwed} or s.open_id is not null)`, isOwed });
}

/** `isDue`, `isOwed`: conditions on delivery `d` and state `s`. `isOwed`: already handled. */
async function wake(
  tx: Transaction<DB>,
  { userId, destination }: Connected,
  { isDue, isOwed }: Record<'isDue' | 'isOwed', RawBuilder<unknown>>,
): Promise<void> {
  await sql`with woken as (
      update deliveries d set due_at = clock_timestamp(), version = d.version + 1,
        handled_dispatch = case when ${isOwed} then least(d.handled_dispatch, s.dispatch - 1) else d.handled_dispatch end
      from delivery_states s where s.delivery_id = d.id and s.author_id = ${userId} and s.destination = ${destination} and ${isDue}
      returning d.article_id
    ) insert into outbox (article_id, destination) select article_id, ${destination} from woken`.execute(tx);
}
