/** Connects an author's account at a destination, and adapts the deliveries that depend on it. */
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Database } from '../db/database.ts';
import { NOW } from '../db/now.ts';
import type { DB } from '../db/types.ts';
import type { Sealer } from '../secrets/sealing.ts';
import { lockAccount } from '../users/lock-account.ts';
import { provideAccount, type Whose } from './accounts.ts';
import { numberCommand, recordCommand } from './command-order.ts';
import { sealCredentials } from './credentials.ts';

export interface NewConnection extends Omit<Whose, 'account'> {
  credentials: Record<string, string>;
  /** Who the probe found; null where nobody was asked. */
  account?: Whose['account'];
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
  replaced: { id: string; version: number } | null;
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
  const { userId, destination, platform, baseUrl, account = null } = connection;
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
    updatedAt: NOW,
    // A pause belongs to the account, whichever key it is used with.
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
  const isReturn = isSameAccount || lastAccountId === accountId;
  await (isReturn ? releaseDeliveries : passOverDeliveries)(tx, { ...connection, accountId });
  return row;
}

/** The account that was connected before a disconnection. */
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
    .select(['platform', 'baseUrl', 'accountId'])
    .where('userId', '=', userId)
    .where('destination', '=', destination)
    .forUpdate()
    .executeTakeFirst();
}

type Connected = NewConnection & { accountId: string };

/** The same account, with no other connected in between: its held deliveries are sent. */
function releaseDeliveries(tx: Transaction<DB>, connected: Connected): Promise<void> {
  return wake(tx, connected, { isDue: sql`d.due_at is not null`, isOwed: sql`false` });
}

/**
 * Another account: clears everything due. Nothing is sent, fails or is notified. Only withdrawals requested for copies
 * at this account are sent, and its open attempts are resolved.
 */
async function passOverDeliveries(tx: Transaction<DB>, connected: Connected): Promise<void> {
  const { userId, destination } = connected;
  await sql`update deliveries d set handled_dispatch = a.dispatch, due_at = null, version = d.version + 1, slot_at = null, slot_connection_id = null
    from articles a where a.id = d.article_id and a.author_id = ${userId} and d.destination = ${destination}`.execute(
    tx,
  );
  const isOwed = sql`(s.should_be_withdrawn and exists (select from copies c where c.id = s.copy_id and c.may_be_live))`;
  await wake(tx, connected, { isDue: sql`(${isOwed} or s.open_id is not null)`, isOwed });
}

/** `isOwed`: conditions on the delivery `d` and its state `s`, of what was answered before. */
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
