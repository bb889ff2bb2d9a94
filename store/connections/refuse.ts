/** Marks a connection with a refused credential, which holds its deliveries. */
import type { Transaction } from 'kysely';
import { NOW } from '../db/now.ts';
import type { DB } from '../db/types.ts';

/** `marked`: this caller notifies the author. `other credential`: reconnected meanwhile. */
export async function refuseConnection(
  tx: Transaction<DB>,
  { id, version, reason }: { id: string; version: number; reason: string },
): Promise<'marked' | 'marked before' | 'other credential'> {
  const connection = await tx
    .selectFrom('connections')
    .select(['status', 'version'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (connection?.status === 'unauthorised') return 'marked before';
  if (connection?.version !== version) return 'other credential';
  await tx
    .updateTable('connections')
    .set({
      status: 'unauthorised',
      statusReason: reason,
      version: version + 1,
      updatedAt: NOW,
    })
    .where('id', '=', id)
    .execute();
  return 'marked';
}
