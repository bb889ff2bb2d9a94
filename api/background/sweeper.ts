/**
 * Removes what has expired, once a minute on every instance: rate windows, idempotency keys, old notifications, addresses that nobody
 * confirmed, what is long over of accounts, who read what yesterday, and changes that later ones supersede.
 */
import type { FastifyBaseLogger } from 'fastify';
import { sweepKeys } from '../../store/articles/publish/idempotency.ts';
import { thinOutChanges } from '../../store/changes/thin-out.ts';
import type { Database } from '../../store/db/database.ts';
import { sweepUnconfirmed } from '../../store/newsletter/subscribe.ts';
import { sweepNotifications } from '../../store/notifications/sweep.ts';
import { sweepRateCounters } from '../../store/rate-limits/counters.ts';
import { sweepDaySalts } from '../../store/readings/day-salt.ts';
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
      await sweepDaySalts(deps.db, deps.now());
      await sweepNotifications(deps.db, deps.now());
      await sweepUnconfirmed(deps.db, deps.now());
      await sweepAccounts(deps.db, deps.now());
      await thinOutChanges(deps.db);
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
