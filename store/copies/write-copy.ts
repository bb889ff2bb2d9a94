/** Writes the result of an attempt to its copy. Nothing else changes a copy after an attempt. */
import { type CompiledQuery, sql } from 'kysely';
import { type CopyAnswer, nextPresence } from '../../delivery/presence.ts';
import type { DestinationAnswer } from '../../delivery/types.ts';
import { mayStillArrive } from '../attempts/unanswered.ts';
import { NOW } from '../db/now.ts';
import type { TripTransaction } from '../db/trips.ts';
import type { DecidedAttempt, DecidedRow } from '../deliveries/decide.ts';

const NO_POST = { remoteId: null, remoteUrl: null, contentHash: null } as const;

interface CopyChange {
  answer: CopyAnswer;
  /** The post that the destination returned for a create or an update. */
  remote?: Extract<DestinationAnswer, { kind: 'done' }>['remote'];
  /** After a withdrawal: an earlier update may still make the copy live. */
  mayReturn?: boolean;
}

/** Returns the statements in the order to run them; none if the attempt has no copy. */
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
  // An earlier unanswered update may still change the remote change time, which would be read as drift.
  const remoteChangedAt = sql<
    string | null
  >`case when exists (select from delivery_attempts t where t.copy_id = ${copyId}
    and t.id <> ${attempt.id} and ${mayStillArrive}) then null else ${changedAt}::text end`;
  const withPost = copy.set({ remoteId, remoteUrl, remoteChangedAt, contentHash, revision, withdrawnAt: null });
  if (attempt.action !== 'create' || attempt.outcome !== null) return [withPost.compile()];
  // A reinstalled site reuses ids, so the earlier post with this id was deleted.
  const reused = tx
    .updateTable('copies')
    .set({ presence: 'absent', ...NO_POST, updatedAt: NOW })
    .where('accountId', '=', accountId)
    .where('remoteId', '=', remoteId)
    .where('id', '!=', copyId);
  return [reused.compile(), withPost.compile()];
}

export async function writeCopy(
  tx: TripTransaction['tx'],
  row: DecidedRow,
  attempt: DecidedAttempt,
  change: CopyChange,
): Promise<void> {
  for (const statement of buildCopyWrites(tx, row, attempt, change)) await tx.executeQuery(statement);
}
