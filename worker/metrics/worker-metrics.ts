/**
 * The worker's own metrics, described in docs/self-hosting/operation.md. The Temporal SDK has
 * separate metrics for polls, slots, workflow tasks and activities.
 */
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { Registry } from 'prom-client';
import { createRegistry, observeGauge } from '../../runtime/telemetry/registry.ts';
import { countConnections, type Database } from '../../store/db/database.ts';
import { createDeliveryCounter } from './deliveries.ts';

export interface WorkerMetrics {
  registry: Registry;
  /** For all workers of the process. */
  activityInterceptors: ActivityInterceptorsFactory[];
}

export function createWorkerMetrics(db: Database): WorkerMetrics {
  const registry = createRegistry();
  const gauge = (name: string, help: string, read: () => number) => observeGauge(registry, { name, help, read });
  gauge('courant_database_connections', 'Open database connections in the pool', () => countConnections(db).open);
  gauge('courant_database_waiting', 'Statements waiting for a database connection', () => countConnections(db).waiting);
  return { registry, activityInterceptors: [createDeliveryCounter(registry)] };
}
