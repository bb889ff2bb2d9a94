/** Disconnects a destination. */
import type { DestinationKey } from '../../article/types.ts';
import type { Database } from '../db/database.ts';
import { voidPlans } from './move-deliveries.ts';

/**
 * Deletes a connection. A delivery that waits for it then finds no credentials and sends nothing; delivered copies stay listed, with the
 * account at which they stand.
 */
export function disconnectDestination(db: Database, userId: string, destination: DestinationKey): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('connections')
      .where('userId', '=', userId)
      .where('destination', '=', destination)
      .executeTakeFirst();
    if (numDeletedRows === 0n) return false;
    await voidPlans(tx, { userId, destination });
    return true;
  });
}
