/** Removes expired rate windows and idempotency keys, and what is long over of accounts, once a minute on every instance. */
import type { FastifyBaseLogger } from 'fastify';
import { sweepKeys } from '../../store/articles/idempotency.ts';
import type { Database } from '../../store/db/database.ts';
import { sweepRateCounters } from '../../store/rate-limits/counters.ts';
import { sweepAccounts } from '../../store/sessions/sweep.ts';

const SWEEP_MS = 60_000;

export function startSweeper(deps: { db: Database; log: FastifyBaseLogger; now: () => Date }): {
  stop(): Promise<void>;
} {
  let running: Promise<void> = Promise.resolve();
  const sweep = async () => {
    try {
      await sweepRateCounters(deps.db);
      await sweepKeys(deps.db, deps.now());
      await sweepAccounts(deps.db, deps.now());
    } catch (error) {
      deps.log.warn({ err: error }, 'sweeping failed; the next sweep tries again');
    }
  };
  const timer = setInterval(() => {
    running = sweep();
  }, SWEEP_MS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
