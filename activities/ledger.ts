/** Records: what became of an attempt, written until it is written. Each bears being run twice. */
import type { Platform } from '../destinations/types.ts';
import * as connections from '../store/connections.ts';
import * as outcomes from '../store/delivery-outcomes.ts';
import type { ActivityDeps } from './deps.ts';

/** The longest that a destination's word can make a delivery wait at once. */
const LONGEST_WAIT_MS = 24 * 60 * 60_000;

export function ledgerActivities({ db, now, pacing, destinationFor }: ActivityDeps) {
  const after = (ms: number) => new Date(now().getTime() + Math.min(ms, LONGEST_WAIT_MS));
  return {
    recordDelivered(input: { deliveryId: string; outcomeKey: string; remote: { remoteId: string; url: string } }) {
      return outcomes.recordDelivered(db, { ...input, now: now() });
    },
    recordFailed(input: Omit<Parameters<typeof outcomes.recordFailed>[1], 'now'>) {
      return outcomes.recordFailed(db, { ...input, now: now() });
    },
    recordRetry(input: { deliveryId: string; code: string; reason: string; stillInFlight: boolean; afterMs: number }) {
      const { afterMs, ...rest } = input;
      return outcomes.recordRetry(db, { ...rest, nextAttemptAt: after(afterMs), now: now() });
    },
    recordAbsent(deliveryId: string) {
      return outcomes.recordAbsent(db, deliveryId, now());
    },
    recordWithdrawn(deliveryId: string) {
      return outcomes.recordWithdrawn(db, deliveryId, now());
    },
    recordUnauthorised(input: Omit<Parameters<typeof outcomes.recordUnauthorised>[1], 'now'>) {
      return outcomes.recordUnauthorised(db, { ...input, now: now() });
    },
    blockConnection(connectionId: string, forMs: number) {
      return connections.blockConnection(db, connectionId, after(forMs));
    },

    /** Takes the account's next turn: 0, or how long to wait before asking again. A lost answer costs one turn, nothing else. */
    async takeTurn(connectionId: string): Promise<number> {
      if (!pacing) return 0;
      const platform = await connections.findPlatform(db, connectionId);
      const adapter = platform === null ? null : destinationFor(platform as Platform);
      return adapter ? connections.takeTurn(db, connectionId, adapter.limits.pacing) : 0;
    },
  };
}
