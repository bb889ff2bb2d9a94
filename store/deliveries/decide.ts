/**
 * Checks a decision before it is written: the versions of delivery and connection must match those
 * read. Locks are acquired in one order everywhere: user, connection, article, delivery, copy,
 * account.
 */
import { sql } from 'kysely';
import type { ArticleStatus, DestinationKey } from '../../article/types.ts';
import type {
  AttemptOutcome,
  DeliveryAction,
  DestinationAnswer,
  PlanVersions,
  Presence,
} from '../../delivery/types.ts';
import type { Database } from '../db/database.ts';
import { prepareOnce } from '../db/prepared.ts';
import { type TripTransaction, transactInTrips } from '../db/trips.ts';
import { buildDeliveryLock } from './lock-state.ts';

export interface DecidedRow {
  articleId: string;
  destination: DestinationKey;
  authorId: string;
  title: string;
  status: ArticleStatus;
  dispatch: number;
  revision: number;
  isSuspended: boolean;
  version: number;
  withdrawRequested: boolean;
  connectionId: string | null;
  connectionVersion: number | null;
  isAtAccount: boolean;
  /** The attempt's account, else the connected account. */
  accountId: string | null;
  /** The attempt's copy, else the current copy at the account. */
  copyId: string | null;
  presence: Presence;
  attempt: DecidedAttempt | null;
}

export interface DecidedAttempt {
  id: string;
  action: DeliveryAction;
  dispatch: number;
  revision: number;
  contentHash: string;
  code: string | null;
  hasLaterCommand: boolean;
  outcome: AttemptOutcome | null;
  answer: DestinationAnswer | null;
}

/**
 * Locks connection and delivery, and passes the row to `work`. `isPlanCurrent`: false if a command,
 * publish, attempt or connection change happened since the plan. Returns null if the delivery is
 * deleted.
 */
export function applyDecision<T>(
  db: Database,
  decided: PlanVersions & { attemptId: string | null; changesConnection?: boolean },
  work: (transaction: TripTransaction, row: DecidedRow, isPlanCurrent: boolean) => Promise<T>,
): Promise<T | null> {
  const lock = decided.changesConnection ? lockChangedConnection : lockConnection;
  const opening = [lock(db, decided), lockDelivery(db, decided), readRow(db, decided)] as const;
  return transactInTrips(db, opening, async (transaction, [, , [row]]) => {
    if (!row) return null;
    const isPlanCurrent =
      row.version === decided.version &&
      row.connectionId === decided.connectionId &&
      (row.connectionVersion ?? 0) === decided.connectionVersion;
    return work(transaction, row, isPlanCurrent);
  });
}

/** Prevents changes of account and credential; allows rate budget writes to the same row. */
const lockConnection = prepareOnce('decide_connection', (db, { connectionId }: PlanVersions) =>
  db.selectFrom('connections').select('id').where('id', '=', connectionId).forKeyShare().compile(),
);

/** Acquired before the delivery's lock: a block of the account takes the same order. */
const lockChangedConnection = prepareOnce('decide_changed_connection', (db, { connectionId }: PlanVersions) =>
  db.selectFrom('connections').select('id').where('id', '=', connectionId).forNoKeyUpdate().compile(),
);

const lockDelivery = prepareOnce<{ deliveryId: string }, { id: string }>('decide_delivery', buildDeliveryLock);

/** A separate statement, so that it sees commits from before the locks were granted. */
const readRow = prepareOnce(
  'decide_read',
  (db, { deliveryId, attemptId }: { deliveryId: string; attemptId: string | null }) =>
    sql<DecidedRow>`
    select d.article_id, d.destination, a.author_id, a.title, a.status, a.dispatch, a.revision, u.suspended_at is not null as is_suspended,
      d.version, d.withdraw_requested, c.id as connection_id, c.version as connection_version, coalesce(c.account_id = t.account_id, false) as is_at_account,
      coalesce(t.account_id, c.account_id) as account_id, cp.id as copy_id, coalesce(cp.presence, 'absent') as presence,
      case when t.id is not null then jsonb_build_object('id', t.id, 'action', t.action, 'dispatch', t.dispatch, 'revision', t.revision,
        'contentHash', t.content_hash, 'code', t.code, 'hasLaterCommand', t.has_later_command, 'outcome', t.outcome, 'answer', t.answer) end as attempt
    from deliveries d join articles a on a.id = d.article_id join users u on u.id = a.author_id
    left join connections c on c.user_id = a.author_id and c.destination = d.destination
    left join delivery_attempts t on t.id = ${attemptId} and t.delivery_id = d.id
    left join copies cp on cp.article_id = d.article_id and cp.account_id = coalesce(t.account_id, c.account_id)
      and (cp.id = t.copy_id or (t.copy_id is null and cp.is_current))
    where d.id = ${deliveryId}`.compile(db),
);
