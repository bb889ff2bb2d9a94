/** Disconnects a destination. */
import type { DestinationKey } from '../../article/types.ts';
import type { Database } from '../db/database.ts';
import { lockUser } from '../users/lock-user.ts';
import { issueCommandNumber, recordCommand } from './command-order.ts';

/**
 * Deletes a connection. Its waiting deliveries find no credentials and send nothing; its copies
 * remain listed with their account. A connect command that is still probing has no
 * effect afterwards.
 */
export function disconnectDestination(db: Database, userId: string, destination: DestinationKey): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await lockUser(tx, userId);
    await recordCommand(tx, { userId, destination, number: await issueCommandNumber(tx) });
    const { numDeletedRows } = await tx
      .deleteFrom('connections')
      .where('userId', '=', userId)
      .where('destination', '=', destination)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  });
}
