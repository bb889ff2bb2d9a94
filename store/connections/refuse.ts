/** A connection whose credentials the destination refuses: it is marked once, and its waiting deliveries are held. */
import type { Transaction } from 'kysely';
import type { DB } from '../db/types.ts';

/**
 * Marks the connection as refused and holds its waiting deliveries. Of several callers exactly one gets `marked`, and that one notifies the
 * author. `other credential`: it was reconnected in the meantime.
 */
export async function refuseConnection(
  tx: Transaction<DB>,
  refusal: { id: string; credentialVersion: number; reason: string; now: Date },
): Promise<'marked' | 'marked before' | 'other credential'> {
  const { id, credentialVersion, reason, now } = refusal;
  const connection = await tx
    .selectFrom('connections')
    .select(['status', 'generation as credentialVersion'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (connection?.credentialVersion !== credentialVersion) return 'other credential';
  if (connection.status === 'unauthorised') return 'marked before';
  await tx
    .updateTable('connections')
    .set({ status: 'unauthorised', statusReason: reason, updatedAt: now })
    .where('id', '=', id)
    .execute();
  await holdWaiting(tx, id, buildHeldColumns(reason, now));
  return 'marked';
}

/** The columns of a delivery that is held because its connection is refused. */
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
