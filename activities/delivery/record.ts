/** How attempts end, written to the ledger: retried until it is written, and safe to run twice. */
import { TIMEOUTS } from '../../delivery/timeouts.ts';
import { blockConnection } from '../../store/connections/rate-slots.ts';
import type { Database } from '../../store/db/database.ts';
import * as failures from '../../store/deliveries/record-failure.ts';
import * as outcomes from '../../store/deliveries/record-outcome.ts';
import type { ActivityDeps } from '../deps.ts';

export function createRecordActivities({ db, now }: ActivityDeps) {
  return {
    recordDelivered(input: WithoutTime<typeof outcomes.recordDelivered>) {
      return outcomes.recordDelivered(db, { ...input, now: now() });
    },
    recordAdopted(input: WithoutTime<typeof outcomes.recordAdopted>) {
      return outcomes.recordAdopted(db, { ...input, now: now() });
    },
    recordFailed(input: WithoutTime<typeof failures.recordFailed>) {
      return failures.recordFailed(db, { ...input, now: now() });
    },
    recordRetry(input: Omit<WithoutTime<typeof failures.recordRetry>, 'nextAttemptAt'> & { afterMs: number }) {
      const { afterMs, ...rest } = input;
      const nextAttemptAt = new Date(now().getTime() + limitWait(afterMs));
      return failures.recordRetry(db, { ...rest, nextAttemptAt, now: now() });
    },
    recordAbsent(input: WithoutTime<typeof outcomes.recordAbsent>) {
      return outcomes.recordAbsent(db, { ...input, now: now() });
    },
    recordWithdrawn(input: WithoutTime<typeof outcomes.recordWithdrawn>) {
      return outcomes.recordWithdrawn(db, { ...input, now: now() });
    },
    recordUnauthorised(input: WithoutTime<typeof failures.recordUnauthorised>) {
      return failures.recordUnauthorised(db, { ...input, now: now() });
    },
    blockConnection(connectionId: string, forMs: number) {
      return blockConnection(db, connectionId, limitWait(forMs));
    },
  };
}

/** An activity's input: the time is the moment of recording. */
type WithoutTime<Record extends (db: Database, input: never) => unknown> = Omit<Parameters<Record>[1], 'now'>;

function limitWait(ms: number): number {
  return Math.min(ms, TIMEOUTS.longestWaitMs);
}
