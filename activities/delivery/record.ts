/** Records: what became of an attempt, written until it is written. Each bears being run twice. */
import { blockConnection } from '../../store/connections/rate-slots.ts';
import type { Database } from '../../store/db/database.ts';
import * as troubles from '../../store/deliveries/record-failure.ts';
import * as outcomes from '../../store/deliveries/record-outcome.ts';
import type { ActivityDeps } from '../deps.ts';

/** The longest that a destination's word can make a delivery wait at once. */
const LONGEST_WAIT_MS = 24 * 60 * 60_000;

export function ledgerActivities({ db, now }: ActivityDeps) {
  return {
    recordDelivered(input: WithoutTime<typeof outcomes.recordDelivered>) {
      return outcomes.recordDelivered(db, { ...input, now: now() });
    },
    recordAdopted(input: WithoutTime<typeof outcomes.recordAdopted>) {
      return outcomes.recordAdopted(db, { ...input, now: now() });
    },
    recordFailed(input: WithoutTime<typeof troubles.recordFailed>) {
      return troubles.recordFailed(db, { ...input, now: now() });
    },
    recordRetry(input: Omit<WithoutTime<typeof troubles.recordRetry>, 'nextAttemptAt'> & { afterMs: number }) {
      const { afterMs, ...rest } = input;
      const nextAttemptAt = new Date(now().getTime() + bounded(afterMs));
      return troubles.recordRetry(db, { ...rest, nextAttemptAt, now: now() });
    },
    recordAbsent(input: WithoutTime<typeof outcomes.recordAbsent>) {
      return outcomes.recordAbsent(db, { ...input, now: now() });
    },
    recordWithdrawn(input: WithoutTime<typeof outcomes.recordWithdrawn>) {
      return outcomes.recordWithdrawn(db, { ...input, now: now() });
    },
    recordUnauthorised(input: WithoutTime<typeof troubles.recordUnauthorised>) {
      return troubles.recordUnauthorised(db, { ...input, now: now() });
    },
    blockConnection(connectionId: string, forMs: number) {
      return blockConnection(db, connectionId, bounded(forMs));
    },
  };
}

/** An activity's input: the time is the moment of recording. */
type WithoutTime<Record extends (db: Database, input: never) => unknown> = Omit<Parameters<Record>[1], 'now'>;

function bounded(ms: number): number {
  return Math.min(ms, LONGEST_WAIT_MS);
}
