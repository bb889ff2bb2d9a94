/**
 * Records outcomes in the ledger. Retried and idempotent. A record that fails for a day (a bug, an
 * unexpected row) is given up, and the author is notified.
 */
import { Context, log } from '@temporalio/activity';
import type { OutcomeInput } from '../../delivery/activity-messages.ts';
import { describeGivingUp, MAX_RETRY_PERIOD_MS } from '../../delivery/retry-state.ts';
import { TIMEOUTS } from '../../delivery/timeouts.ts';
import { recordOutcome } from '../../store/attempts/record-outcome.ts';
import { recordGivenUp, recordProblem } from '../../store/attempts/record-problem.ts';
import { isDatabaseUnavailable } from '../../store/db/pg-errors.ts';
import type { ActivityDeps } from '../deps.ts';
import { INTERNAL_ERROR_MESSAGE } from './internal-errors.ts';

/** Returns whether the decision is current: see `recordOutcome`. */
export async function record(deps: ActivityDeps, input: OutcomeInput): Promise<boolean> {
  const { db } = deps;
  const { deliveryId } = input;
  try {
    return await recordOutcome(db, input);
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    log.error('could not record the outcome of an attempt', { deliveryId, err: error });
    if (Context.current().info.attempt > MAX_RETRIES) {
      return await recordGivenUp(
        db,
        { deliveryId },
        { reason: describeGivingUp(INTERNAL_ERROR_MESSAGE), dispatch: input.dispatch },
      );
    }
    await recordProblem(db, { deliveryId }, { reason: INTERNAL_ERROR_MESSAGE, forMs: TIMEOUTS.maxLocalRetryMs });
    throw error;
  }
}

/** About a day of retries. */
const MAX_RETRIES = MAX_RETRY_PERIOD_MS / TIMEOUTS.maxLocalRetryMs;
