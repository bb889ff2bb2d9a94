/** The one place where what is known of an attempt's outcome changes its copy. */
import { type CompiledQuery, sql } from 'kysely';
import { type CopyAnswer, nextPresence } from '../../delivery/presence.ts';
import type { DestinationAnswer } from '../../delivery/types.ts';
import { NOW } from '../db/now.ts';
import type { TripTransaction } from '../db/trips.ts';
import type { DecidedAttempt, DecidedRow } from './decide.ts';
import { mayStillArrive } from './unanswered.ts';

const NO_POST = { remoteId: null, remoteUrl: null, contentHash: null } as const;

interface CopyChange {
  answer: CopyAnswer;
  /** The post as the destination names it, after a create or an update. */
  remote?: Extract<DestinationAnswer, { kind: 'done' }>['remote'];
  /** After a withdrawal: an earlier update may still make the copy live. */
  mayReturn?: boolean;
}

/** Statements to run in this order; none where the attempt has no copy. */
export function buildCopyWrites(
  tx: TripTransaction['tx'],
  row: DecidedRow,
  attempt: DecidedAttempt,
  { answer, remote = null, mayReturn = false }: CopyChange,
): CompiledQuery[] {
  const { copyId, accountId } = row;
  if (copyId === null) return [];
  const presence = mayReturn ? 'uncertain' : nextPresence(row.presence, attempt.action, answer);
  const isWithdrawn =
    answer === 'deleted' || (attempt.action === 'withdraw' && (answer === 'done' || answer === 'gone'));
  const copy = tx
    .updateTable('copies')
    .set({ presence, updatedAt: NOW })
    .$if(presence === 'absent', (query) => query.set(NO_POST))
    .$if(answer === 'lost', (query) => query.set({ contentHash: null }))
    .$if(isWithdrawn, (query) => query.set({ withdrawnAt: NOW, remoteChangedAt: null }))
    .where('id', '=', copyId);
  if (remote === null) return [copy.compile()];
  const { remoteId, url: remoteUrl, changedAt } = remote;
  const { contentHash, revision } = attempt;
  // An earlier unanswered update may still change the post's time, which would look like drift.
  const remoteChangedAt = sql<
    string | null
  >`case when exists (select from delivery_attempts t where t.copy_id = ${copyId}
    and t.id <> ${attempt.id} and ${mayStillArrive}) then null else ${changedAt}::text end`;
  const carrying = copy.set({ remoteId, remoteUrl, remoteChangedAt, contentHash, revision, withdrawnAt: null });
  if (attempt.action !== 'create' || attempt.outcome !== null) return [carrying.compile()];
  // A site that was set up again reuses its ids: the earlier post with this one is gone.
  const reused = tx
    .updateTable('copies')
    .set({ presence: 'absent', ...NO_POST, updatedAt: NOW })
    .where('accountId', '=', accountId)
    .where('remoteId', '=', remoteId)
    .where('id', '!=', copyId);
  return [reused.compile(), carrying.compile()];
}

export async function writeCopy(
  tx: TripTransaction['tx'],
  row: DecidedRow,
  attempt: DecidedAttempt,
  change: CopyChange,
): Promise<void> {
  for (const statement of buildCopyWrites(tx, row, attempt, change)) await tx.executeQuery(statement);
}
