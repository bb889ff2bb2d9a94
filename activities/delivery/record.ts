/**
 * How attempts end, written to the ledger: retried until it is written, and safe to run twice. What cannot be written for a day (a bug of ours, a
 * row that nobody expected) is given up, and its author is told.
 */
import { Context, log } from '@temporalio/activity';
import { describeGivingUp, PATIENCE_MS } from '../../delivery/retry-state.ts';
import { TIMEOUTS } from '../../delivery/timeouts.ts';
import { blockConnection } from '../../store/connections/rate-budget.ts';
import type { Database } from '../../store/db/database.ts';
import { isDatabaseUnavailable } from '../../store/db/pg-errors.ts';
import * as failures from '../../store/deliveries/record-failure.ts';
import * as outcomes from '../../store/deliveries/record-outcome.ts';
import { recordProblem, recordProblemGivenUp } from '../../store/deliveries/record-problem.ts';
import type { ActivityDeps } from '../deps.ts';
import { BROKEN } from './broken.ts';

export function createRecordActivities(deps: ActivityDeps) {
  const { db, now } = deps;
  const endure = <T>(deliveryId: string, record: () => Promise<T>, given: T) =>
    endureBrokenRecord(deps, deliveryId, record, given);
  return {
    recordDelivered(input: WithoutTime<typeof outcomes.recordDelivered>) {
      return endure(input.deliveryId, () => outcomes.recordDelivered(db, { ...input, now: now() }), { upToDate: true });
    },
    recordAdopted(input: WithoutTime<typeof outcomes.recordAdopted>) {
      return endure(input.deliveryId, () => outcomes.recordAdopted(db, { ...input, now: now() }), undefined);
    },
    recordFailed(input: WithoutTime<typeof failures.recordFailed>) {
      return endure(input.deliveryId, () => failures.recordFailed(db, { ...input, now: now() }), false);
    },
    recordRetry(input: Omit<WithoutTime<typeof failures.recordRetry>, 'nextAttemptAt'> & { afterMs: number }) {
      const { afterMs, ...rest } = input;
      const nextAttemptAt = new Date(now().getTime() + limitWait(afterMs));
      return endure(rest.deliveryId, () => failures.recordRetry(db, { ...rest, nextAttemptAt, now: now() }), undefined);
    },
    recordAbsent(input: WithoutTime<typeof outcomes.recordAbsent>) {
      return endure(input.deliveryId, () => outcomes.recordAbsent(db, { ...input, now: now() }), undefined);
    },
    recordWithdrawn(input: WithoutTime<typeof outcomes.recordWithdrawn>) {
      return endure(input.deliveryId, () => outcomes.recordWithdrawn(db, { ...input, now: now() }), undefined);
    },
    recordUnauthorised(input: WithoutTime<typeof failures.recordUnauthorised>) {
      return endure(input.deliveryId, () => failures.recordUnauthorised(db, { ...input, now: now() }), true);
    },
    async blockConnection(connectionId: string, forMs: number) {
      await blockConnection(db, connectionId, limitWait(forMs));
    },
  };
}

/** Answers `given` where it could not be written for a day. */
async function endureBrokenRecord<T>(
  { db, now }: ActivityDeps,
  deliveryId: string,
  record: () => Promise<T>,
  given: T,
): Promise<T> {
  try {
    return await record();
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    log.error('the end of an attempt could not be recorded', { deliveryId, err: error });
    const { attempt } = Context.current().info;
    if (attempt > MOST_RETRIES) {
      await recordProblemGivenUp(db, { deliveryId }, { reason: describeGivingUp(BROKEN), now: now() });
      return given;
    }
    const nextAttemptAt = new Date(now().getTime() + TIMEOUTS.longestLocalRetryMs);
    await recordProblem(db, { deliveryId }, { reason: BROKEN, now: now(), nextAttemptAt });
    throw error;
  }
}

/** Of one record: about a day of them. */
const MOST_RETRIES = PATIENCE_MS / TIMEOUTS.longestLocalRetryMs;

/** An activity's input: the time is the moment of recording. */
type WithoutTime<Record extends (db: Database, input: never) => unknown> = Omit<Parameters<Record>[1], 'now'>;

function limitWait(ms: number): number {
  return Math.min(ms, TIMEOUTS.longestWaitMs);
}
