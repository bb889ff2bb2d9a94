/** Disconnects a destination. */
import type { DestinationKey } from '../../article/types.ts';
import type { Database } from '../db/database.ts';
import { lockAccount } from '../users/lock-account.ts';
import { numberCommand, recordCommand } from './command-order.ts';

/**
 * Deletes a connection. A delivery that waits for it then finds no credentials and sends nothing; delivered copies stay listed, with the
 * account at which they stand. An account that is still being tried is not connected afterwards.
 */
export function disconnectDestination(db: Database, userId: string, destination: DestinationKey): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await lockAccount(tx, userId);
    await recordCommand(tx, { userId, destination, number: await numberCommand(tx) });
    const { numDeletedRows } = await tx
      .deleteFrom('connections')
      .where('userId', '=', userId)
      .where('destination', '=', destination)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  });
}
