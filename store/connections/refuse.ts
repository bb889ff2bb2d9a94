/** A credential that its destination refuses: the connection is marked once, and all that waits for it is held. */
import type { Transaction } from 'kysely';
import type { DB } from '../db/types.ts';

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
  await holdWaiting(tx, id, buildHeldColumns(reason, now));
  return 'marked';
}

/** What a delivery's row says while its connection is refused. */
export function buildHeldColumns(reason: string, now: Date) {
  return {
    state: 'held',
    lastErrorCode: 'unauthorised',
    lastError: reason,
    nextAttemptAt: null,
    updatedAt: now,
  } as const;
}

async function holdWaiting(
  tx: Transaction<DB>,
  connectionId: string,
  held: ReturnType<typeof buildHeldColumns>,
): Promise<void> {
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
