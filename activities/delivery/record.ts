/**
 * How attempts end, written to the ledger: retried until it is written, and safe to run twice. What cannot be written for a day (a bug of ours, a
 * row that nobody expected) is given up, and its author is told.
 */
import { Context, log } from '@temporalio/activity';
import { describeGivingUp, PATIENCE_MS } from '../../delivery/retry-state.ts';
import { TIMEOUTS } from '../../delivery/timeouts.ts';
import type { EndingInput } from '../../delivery/wire.ts';
import { isDatabaseUnavailable } from '../../store/db/pg-errors.ts';
import { recordEnding } from '../../store/deliveries/record-ending.ts';
import { recordProblem, recordProblemGivenUp } from '../../store/deliveries/record-problem.ts';
import type { ActivityDeps } from '../deps.ts';
import { BROKEN } from './broken.ts';

/** Answers whether the ending holds: see `recordEnding`. */
export async function record(deps: ActivityDeps, input: EndingInput): Promise<boolean> {
  const { db } = deps;
  const { deliveryId } = input;
  try {
    return await recordEnding(db, input);
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    log.error('the end of an attempt could not be recorded', { deliveryId, err: error });
    if (Context.current().info.attempt > MOST_RETRIES) {
      return await recordProblemGivenUp(
        db,
        { deliveryId },
        { reason: describeGivingUp(BROKEN), dispatch: input.dispatch },
      );
    }
    await recordProblem(db, { deliveryId }, { reason: BROKEN, forMs: TIMEOUTS.longestLocalRetryMs });
    throw error;
  }
}

/** Of one record: about a day of them. */
const MOST_RETRIES = PATIENCE_MS / TIMEOUTS.longestLocalRetryMs;
