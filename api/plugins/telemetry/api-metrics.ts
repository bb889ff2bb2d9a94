/**
 * The API's metrics: counters it increments and gauges read at each scrape.
 * docs/self-hosting/operation.md describes each metric.
 */
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { createRegistry, observeCounter, observeGauge } from '../../../runtime/telemetry/registry.ts';
import type { QueueLoad } from '../../../runtime/threads/fair-queue.ts';
import { countConnections, type Database } from '../../../store/db/database.ts';
import { measureOperation, type OperationStatus } from '../../../store/operation/measure-operation.ts';
import { withTimeout } from './health.ts';
import { type CountPublish, countRequests, countRestPublishes, createPublishCounter } from './requests.ts';

export interface MetricSources {
  db: Database;
  cacheFastPath: { readonly served: number };
  responseCache: { readonly bytes: number; readonly count: number };
  hub: { streamCount(): number; eventCount(): number };
  listener: { isListening(): boolean };
  publishQueue: { load(): QueueLoad };
  documents: { load(): QueueLoad };
}

export interface ApiMetrics {
  registry: Registry;
  /** Call once, before the routes are registered. */
  observe(app: FastifyInstance, observed: MetricSources): void;
  countPublish: CountPublish;
}

const INSTALLATION: Record<keyof OperationStatus, [name: string, help: string]> = {
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

export function createApiMetrics(): ApiMetrics {
  const registry = createRegistry();
  const countPublish = createPublishCounter(registry);
  return {
    registry,
    countPublish,
    observe(app, { db, cacheFastPath, responseCache, hub, listener, publishQueue, documents }) {
      countRequests(app, registry);
      countRestPublishes(app, countPublish);
      observeInstallation(registry, db);
      const gauge = (name: string, help: string, read: () => number) => observeGauge(registry, { name, help, read });
      const counter = (name: string, help: string, read: () => number) =>
        observeCounter(registry, { name, help, read });
      counter(
        'courant_cached_responses_served_total',
        'Cached responses sent before routing',
        () => cacheFastPath.served,
      );
      gauge('courant_cached_responses', 'Cached responses in memory', () => responseCache.count);
      gauge('courant_cached_response_bytes', 'Memory used by cached responses', () => responseCache.bytes);
      gauge('courant_streams_open', 'Open event streams of this instance', () => hub.streamCount());
      counter('courant_events_sent_total', 'Events written to streams', () => hub.eventCount());
      gauge('courant_listen_up', '1 while the LISTEN connection is up', () => Number(listener.isListening()));
      gauge('courant_documents_running', 'Documents being processed in threads', () => documents.load().running);
      const countWaiting = () => publishQueue.load().waiting + documents.load().waiting;
      gauge('courant_documents_waiting', 'Documents waiting for a thread', countWaiting);
      gauge('courant_database_connections', 'Connections in the pool', () => countConnections(db).open);
      gauge('courant_database_waiting', 'Statements waiting for a connection', () => countConnections(db).waiting);
    },
  };
}

/** Gauges of the whole installation: every instance reports the same values; queries take the maximum. */
function observeInstallation(registry: Registry, db: Database): void {
  let cached: { at: number; status: Promise<OperationStatus> } | undefined;
  const readStatus = () => {
    const at = performance.now();
    if (!cached || at - cached.at > CACHE_MS)
      cached = { at, status: withTimeout(measureOperation(db), QUERY_TIMEOUT_MS) };
    return cached.status;
  };
  for (const [key, [name, help]] of Object.entries(INSTALLATION) as [keyof OperationStatus, [string, string]][]) {
    observeGauge(registry, { name, help, read: async () => (await readStatus())[key] ?? Number.POSITIVE_INFINITY });
  }
  const read = () =>
    readStatus().then(
      () => 1,
      () => 0,
    );
  observeGauge(registry, { name: 'courant_database_up', help: '1 while the database responds', read });
}
