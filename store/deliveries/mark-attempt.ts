/** Marks an attempt in the ledger before anything is sent, if all that its plan relied on still holds. */
import { sql, type Transaction } from 'kysely';
import type { Situation } from '../../delivery/types.ts';
import type { Database } from '../db/database.ts';
import type { LookUpKeys } from '../db/json-columns.ts';
import type { DB } from '../db/types.ts';

export interface PlannedAttempt {
  /** What the plan was made from. */
  situation: Situation;
  connection: NonNullable<Situation['connection']>;
  action: 'create' | 'update' | 'withdraw';
  revision: number;
  lookUp: LookUpKeys;
  /** Kept where one identical repeat may serve as the look-up; null elsewhere. */
  payload: unknown;
}

/**
 * Marks an attempt before anything is sent: from here on a lost worker means "unknown". Returns the attempt's number; null where the article,
 * its connection or the row is not as it was planned (preparing may have taken long), or a create is marked already, whose outcome only a
 * look-up may find out. Connection, delivery and article are locked in the order of the other writers. The time is the database's, like the
 * one it is compared with.
 */
export function markAttempt(db: Database, planned: PlannedAttempt): Promise<number | null> {
  return db.transaction().execute(async (tx) => {
    if (!(await isStillConnected(tx, planned)) || !(await isStillDue(tx, planned))) return null;
    const { delivery } = planned.situation;
    await tx
      .updateTable('deliveryAttempts')
      .set({ outcome: 'void', endedAt: sql<Date>`clock_timestamp()` })
      .where('deliveryId', '=', delivery.id)
      .where('accountId', '=', planned.connection.accountId)
      .where('endedAt', 'is', null)
      .execute();
    const number = await raiseAttempts(tx, planned);
    await insertAttempt(tx, planned, number);
    return number;
  });
}

async function isStillConnected(tx: Transaction<DB>, { connection }: PlannedAttempt): Promise<boolean> {
  const row = await tx
    .selectFrom('connections')
    .select('id')
    .where('id', '=', connection.id)
    .where('accountId', '=', connection.accountId)
    .where('generation', '=', connection.credentialVersion)
    .where('status', '=', connection.status)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

async function isStillDue(
  tx: Transaction<DB>,
  { situation: { article, delivery }, connection, action, revision }: PlannedAttempt,
): Promise<boolean> {
  const row = await tx
    .selectFrom('deliveries')
    .innerJoin('articles', 'articles.id', 'deliveries.articleId')
    .innerJoin('users', 'users.id', 'articles.authorId')
    .select('deliveries.id')
    .where('deliveries.id', '=', delivery.id)
    .where('deliveries.attempts', '=', delivery.attempt)
    .where('deliveries.remoteId', 'is not distinct from', delivery.remoteId)
    .where('deliveries.skippedDispatch', '=', delivery.skippedDispatch)
    .where('deliveries.withdrawRequested', '=', delivery.withdrawRequested)
    .where((eb) =>
      eb.or([eb('deliveries.accountId', 'is', null), eb('deliveries.accountId', '=', connection.accountId)]),
    )
    .where('deliveries.overwrite', '=', delivery.overwrite)
    .where('articles.status', '=', article.status)
    .where('articles.dispatch', '=', article.dispatch)
    .where('articles.revision', '=', revision)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deliveryAttempts')
            .select('number')
            .whereRef('deliveryAttempts.deliveryId', '=', 'deliveries.id')
            .where('deliveryAttempts.accountId', '=', connection.accountId)
            .where('deliveryAttempts.action', '=', 'create')
            .where('deliveryAttempts.endedAt', 'is', null),
        ),
      ),
    )
    // What a suspended author has out there may still be taken back.
    .$if(action !== 'withdraw', (query) => query.where('users.suspendedAt', 'is', null))
    .forUpdate('deliveries')
    .forShare('articles')
    .executeTakeFirst();
  return row !== undefined;
}

async function raiseAttempts(tx: Transaction<DB>, { situation, connection }: PlannedAttempt): Promise<number> {
  const { delivery } = situation;
  const { attempts } = await tx
    .updateTable('deliveries')
    .set((eb) => ({
      state: 'delivering',
      connectionId: connection.id,
      accountId: connection.accountId,
      // An update whose end was never recorded may have moved the post's time.
      ...(delivery.inFlight?.action === 'update' ? { remoteChangedAt: null } : {}),
      // Until it is recorded, what the destination carries is not known: neither the old content nor the new.
      deliveredHash: null,
      attempts: eb('attempts', '+', 1),
      nextAttemptAt: null,
      updatedAt: sql<Date>`clock_timestamp()`,
    }))
    .where('id', '=', delivery.id)
    .returning('attempts')
    .executeTakeFirstOrThrow();
  return attempts;
}

async function insertAttempt(tx: Transaction<DB>, planned: PlannedAttempt, number: number): Promise<void> {
  const { situation, connection, action, revision, lookUp, payload } = planned;
  await tx
    .insertInto('deliveryAttempts')
    .values({
      deliveryId: situation.delivery.id,
      number,
      accountId: connection.accountId,
      action,
      dispatch: situation.article.dispatch,
      revision,
      contentHash: situation.article.hash,
      lookUp: JSON.stringify(lookUp),
      payload: payload === null ? null : JSON.stringify(payload),
      startedAt: sql<Date>`clock_timestamp()`,
    })
    .execute();
}

/**
 * Marks that a create is being sent once more, unchanged. Returns what was sent the first time; null where that was done already, or the
 * first attempt is too long ago for the platform to recognise it.
 */
export async function markRepeat(
  db: Database,
  deliveryId: string,
  repeat: { number: number; withinMs: number },
): Promise<{ payload: unknown } | null> {
  const row = await db
    .updateTable('deliveryAttempts')
    .set({ repeatedAt: sql<Date>`clock_timestamp()`, answer: null, answeredAt: null })
    .where('deliveryId', '=', deliveryId)
    .where('number', '=', repeat.number)
    .where('action', '=', 'create')
    .where('endedAt', 'is', null)
    .where('repeatedAt', 'is', null)
    .where('payload', 'is not', null)
    .where('startedAt', '>', sql<Date>`clock_timestamp() - make_interval(secs => ${repeat.withinMs / 1000})`)
    .returning('payload')
    .executeTakeFirst();
  return row ?? null;
}
