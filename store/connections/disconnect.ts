/** Disconnects a destination. */
import type { DestinationKey } from '../../article/types.ts';
import type { Database } from '../db/database.ts';

/** Deletes a connection. A delivery that waits for it then finds no credentials and sends nothing; delivered copies stay listed. */
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
