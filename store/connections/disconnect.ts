/** Disconnects a destination. */
import type { DestinationKey } from '../../article/types.ts';
import type { Database } from '../db/database.ts';

/** Forgets a connection. Deliveries that wait for it find nothing to send with (F26); what was delivered stays listed. */
export async function disconnectDestination(
  db: Database,
  userId: string,
  destination: DestinationKey,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('connections')
    .where('userId', '=', userId)
    .where('destination', '=', destination)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
