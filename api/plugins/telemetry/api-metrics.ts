/**
 * The API's metrics: counters it increments and gauges read at each scrape. docs/operation.md
 * describes each metric.
 */
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { createRegistry, observeCounter, observeGauge } from '../../../runtime/telemetry/registry.ts';
import type { QueueLoad } from '../../../runtime/threads/fair-queue.ts';
import { countConnections, type Database } from '../../../store/db/database.ts';
import { observeInstallation } from './gauges.ts';
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
