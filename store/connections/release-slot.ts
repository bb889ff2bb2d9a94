/** The end of a call: its place goes to the next in line, who is to be woken. */
import type { Database } from '../db/database.ts';
import { prepareOnce } from '../db/prepared.ts';
import { transactInTrips } from '../db/trips.ts';
import { isBlocked, KEEP_BRIEFLY, lockAccountOfSlot, type Pacing } from './account-pace.ts';
import { chooseNext, type NextInLine, readLine, readLineOfSlot, writeWakes } from './next-in-line.ts';
import { spreadSlots } from './waiting-line.ts';

/** How the call ended: answered; otherwise; or not at all, and the delivery waits for its slot again. */
export type CallEnd = 'answered' | 'over' | 'waits';

/** Without a slot this does nothing. Like `reserveSlot` it takes two round trips, unless the account is blocked. */
export function releaseSlot(
  db: Database,
  deliveryId: string,
  { end, findPacing }: { end: CallEnd; findPacing: (platform: string) => Pacing },
): Promise<NextInLine[]> {
  const opening = [KEEP_BRIEFLY, lockAccountOfSlot(db, { deliveryId }), readLineOfSlot(db, { deliveryId })] as const;
  return transactInTrips(db, opening, async ({ tx, send, commitWith }, [, [account], found]) => {
    if (!account) return [];
    const { connectionId } = account;
    let writes = [
      end === 'waits' ? stopCalling(tx, { deliveryId }) : deleteSlot(tx, { deliveryId }),
      ...(end === 'answered' && account.refusals > 0 ? [forgetRefusals(tx, { connectionId })] : []),
    ];
    let line = found;
    // Read again where a block moves it, and where the slot by which it was to be found went while this waited for the lock.
    if (isBlocked(account) || found[0]?.connectionId !== connectionId) {
      await send(...writes);
      writes = [];
      if (isBlocked(account)) await spreadSlots(tx, account, findPacing(account.platform), null);
      [line] = await send(readLine(tx, { connectionId, deliveryId }));
    }
    const wakes = chooseNext(line, account, end === 'waits' ? null : deliveryId);
    await commitWith(...writes, ...writeWakes(tx, wakes));
    return wakes.map(({ next }) => next);
  });
}

interface SlotKey {
  deliveryId: string;
}

const stopCalling = prepareOnce('stop_calling', (db, { deliveryId }: SlotKey) =>
  db.updateTable('rateSlots').set({ callingUntil: null }).where('deliveryId', '=', deliveryId).compile(),
);

const deleteSlot = prepareOnce('delete_slot', (db, { deliveryId }: SlotKey) =>
  db.deleteFrom('rateSlots').where('deliveryId', '=', deliveryId).compile(),
);

const forgetRefusals = prepareOnce('forget_refusals', (db, { connectionId }: { connectionId: string }) =>
  db.updateTable('connections').set({ refusals: 0 }).where('id', '=', connectionId).compile(),
);
