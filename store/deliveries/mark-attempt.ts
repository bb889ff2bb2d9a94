/** Marks an attempt in the ledger before anything is sent, if all that its plan relied on still holds. */
import { type Kysely, sql } from 'kysely';
import type { ArticleStatus } from '../../article/types.ts';
import type { ConnectionStatus, DeliveryAction, Situation } from '../../delivery/types.ts';
import { NO_SLOT } from '../connections/rate-budget.ts';
import type { Database } from '../db/database.ts';
import type { LookUpKeys } from '../db/json-columns.ts';
import { prepareOnce } from '../db/prepared.ts';
import { transactInTrips } from '../db/trips.ts';
import type { DB } from '../db/types.ts';
import { NO_ERROR } from './row.ts';

export interface PlannedAttempt {
  /** What the plan was made from. */
  situation: Situation;
  connection: NonNullable<Situation['connection']>;
  action: DeliveryAction;
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
  const { situation, connection, action, revision, lookUp, payload } = planned;
  const { article, delivery } = situation;
  const { id: connectionId, accountId, credentialVersion, status } = connection;
  const { id: deliveryId, attempt, remoteId, skippedDispatch, withdrawRequested, overwrite } = delivery;
  const { dispatch } = article;
  const found = { deliveryId, attempt, remoteId, skippedDispatch, withdrawRequested, overwrite };
  const lockDue = action === 'withdraw' ? lockDueWithdrawal : lockDuePost;
  const opening = [
    lockConnection(db, { connectionId, accountId, credentialVersion, status }),
    lockDue(db, { ...found, accountId, revision, dispatch, articleStatus: article.status }),
  ] as const;
  return transactInTrips(db, opening, async ({ commitWith }, [[connected], [due]]) => {
    if (!connected || !due) return null;
    const key = { deliveryId, accountId };
    const number = attempt + 1;
    const sent = { ...key, number, action, dispatch, revision, contentHash: article.hash };
    const kept = payload === null ? null : JSON.stringify(payload);
    await commitWith(
      voidOpenAttempt(db, key),
      raiseAttempts(db, { ...key, connectionId, number, wasUpdating: delivery.inFlight?.action === 'update' }),
      insertAttempt(db, { ...sent, lookUp: JSON.stringify(lookUp), payload: kept }),
    );
    return number;
  });
}

interface PlannedConnection {
  connectionId: string;
  accountId: string;
  credentialVersion: number;
  status: ConnectionStatus;
}

const lockConnection = prepareOnce(
  'mark_connection',
  (db, { connectionId, accountId, credentialVersion, status }: PlannedConnection) =>
    db
      .selectFrom('connections')
      .select('id')
      .where('id', '=', connectionId)
      .where('accountId', '=', accountId)
      .where('generation', '=', credentialVersion)
      .where('status', '=', status)
      .forShare()
      .compile(),
);

interface PlannedRow {
  deliveryId: string;
  accountId: string;
  attempt: number;
  remoteId: string | null;
  skippedDispatch: number;
  withdrawRequested: boolean;
  overwrite: boolean;
  dispatch: number;
  revision: number;
  articleStatus: ArticleStatus;
}

const lockDuePost = prepareOnce('mark_due', (db, planned: PlannedRow) =>
  selectDue(db, planned).where('users.suspendedAt', 'is', null).compile(),
);

/** What a suspended author has out there may still be taken back. */
const lockDueWithdrawal = prepareOnce('mark_due_withdrawal', (db, planned: PlannedRow) =>
  selectDue(db, planned).compile(),
);

function selectDue(db: Kysely<DB>, planned: PlannedRow) {
  return db
    .selectFrom('deliveries')
    .innerJoin('articles', 'articles.id', 'deliveries.articleId')
    .innerJoin('users', 'users.id', 'articles.authorId')
    .select('deliveries.id')
    .where('deliveries.id', '=', planned.deliveryId)
    .where('deliveries.attempts', '=', planned.attempt)
    .where('deliveries.remoteId', 'is not distinct from', planned.remoteId)
    .where('deliveries.skippedDispatch', '=', planned.skippedDispatch)
    .where('deliveries.withdrawRequested', '=', planned.withdrawRequested)
    .where((eb) => eb.or([eb('deliveries.accountId', 'is', null), eb('deliveries.accountId', '=', planned.accountId)]))
    .where('deliveries.overwrite', '=', planned.overwrite)
    .where('articles.status', '=', planned.articleStatus)
    .where('articles.dispatch', '=', planned.dispatch)
    .where('articles.revision', '=', planned.revision)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deliveryAttempts')
            .select('number')
            .whereRef('deliveryAttempts.deliveryId', '=', 'deliveries.id')
            .where('deliveryAttempts.accountId', '=', planned.accountId)
            .where('deliveryAttempts.action', '=', 'create')
            .where('deliveryAttempts.endedAt', 'is', null),
        ),
      ),
    )
    .forUpdate('deliveries')
    .forShare('articles');
}

const voidOpenAttempt = prepareOnce(
  'mark_void',
  (db, { deliveryId, accountId }: { deliveryId: string; accountId: string }) =>
    db
      .updateTable('deliveryAttempts')
      .set({ outcome: 'void', endedAt: sql<Date>`clock_timestamp()` })
      .where('deliveryId', '=', deliveryId)
      .where('accountId', '=', accountId)
      .where('endedAt', 'is', null)
      .compile(),
);

interface RaisedRow {
  deliveryId: string;
  accountId: string;
  connectionId: string;
  number: number;
  /** An update whose end was never recorded may have moved the post's time, and put a withdrawn post back before readers. */
  wasUpdating: boolean;
}

const raiseAttempts = prepareOnce(
  'mark_raise',
  (db, { deliveryId, accountId, connectionId, number, wasUpdating }: RaisedRow) =>
    db
      .updateTable('deliveries')
      .set({
        state: 'delivering',
        connectionId,
        accountId,
        remoteChangedAt: sql<string | null>`case when ${wasUpdating}::boolean then null else remote_changed_at end`,
        withdrawnAt: sql<Date | null>`case when ${wasUpdating}::boolean then null else withdrawn_at end`,
        // Until it is recorded, what the destination carries is not known: neither the old content nor the new.
        deliveredHash: null,
        attempts: number,
        // What went wrong before is not said of this attempt: whatever the row says from here on is.
        ...NO_ERROR,
        ...NO_SLOT,
        updatedAt: sql<Date>`clock_timestamp()`,
      })
      .where('id', '=', deliveryId)
      .compile(),
);

interface MarkedAttempt {
  deliveryId: string;
  accountId: string;
  number: number;
  action: DeliveryAction;
  dispatch: number;
  revision: number;
  contentHash: string;
  /** JSON, like the payload. */
  lookUp: string;
  payload: string | null;
}

const insertAttempt = prepareOnce('mark_insert', (db, attempt: MarkedAttempt) =>
  db
    .insertInto('deliveryAttempts')
    .values({ ...attempt, startedAt: sql<Date>`clock_timestamp()` })
    .compile(),
);

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
