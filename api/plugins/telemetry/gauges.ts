/**
 * Gauges of the whole installation, read from the database. Every instance reports the same values;
 * queries take the maximum.
 */
import type { Registry } from 'prom-client';
import { observeGauge } from '../../../runtime/telemetry/registry.ts';
import type { Database } from '../../../store/db/database.ts';
import { measureOperation, type OperationStatus } from '../../../store/operation/measure-operation.ts';
import { withTimeout } from './health.ts';

const METRICS: Record<keyof OperationStatus, [name: string, help: string]> = {
  outboxRows: ['courant_outbox_rows', 'Outbox rows whose workflow has not been signalled'],
  outboxAgeSeconds: ['courant_outbox_age_seconds', 'Age of the oldest outbox row'],
  lateSchedules: ['courant_schedules_late', 'Scheduled articles past their time'],
  latestScheduleSeconds: ['courant_schedule_lateness_seconds', 'Lateness of the most overdue scheduled article'],
  workerUnseenSeconds: ['courant_worker_unseen_seconds', 'Time since any worker was seen'],
  temporalUnseenSeconds: ['courant_temporal_unseen_seconds', 'Time since any worker reached Temporal'],
};

/** One scrape reads all gauges with one query. */
const CACHE_MS = 1_000;
/** Prometheus gives up after 10 s by default; gauges of the process do not wait for a database. */
const QUERY_TIMEOUT_MS = 3_000;

export function observeInstallation(registry: Registry, db: Database): void {
  let cached: { at: number; status: Promise<OperationStatus> } | undefined;
  const readStatus = () => {
    const at = performance.now();
    if (!cached || at - cached.at > CACHE_MS)
      cached = { at, status: withTimeout(measureOperation(db), QUERY_TIMEOUT_MS) };
    return cached.status;
  };
  for (const [key, [name, help]] of Object.entries(METRICS) as [keyof OperationStatus, [string, string]][]) {
    observeGauge(registry, { name, help, read: async () => (await readStatus())[key] ?? Number.POSITIVE_INFINITY });
  }
  const read = () =>
    readStatus().then(
      () => 1,
      () => 0,
    );
  observeGauge(registry, { name: 'courant_database_up', help: '1 while the database responds', read });
}
