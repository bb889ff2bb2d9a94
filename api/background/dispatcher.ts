/**
 * Starts or signals workflows for outbox rows. Runs right after a commit (`nudge`), sweeps for rows
 * of other instances, and backs off while Temporal is unreachable. A publish never waits for it.
 */
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../store/db/database.ts';
import { leaseOutbox, type OutboxEntry, removeFromOutbox, returnToOutbox } from '../../store/outbox/lease.ts';
import {
  signalArticle,
  signalCommand,
  signalDeliveries,
  signalImport,
  startMail,
  type WorkflowTarget,
} from '../../temporal/signals.ts';
import type { ApiTracing } from '../plugins/telemetry/api-tracing.ts';
import { type Loop, type Pause, startLoop } from './loop.ts';

const BATCH = 20;
/**
 * If the previous batch began more recently than this, the next one waits GATHER_MS to include more
 * rows. A single publish does not wait.
 */
const BURST_MS = 40;
const GATHER_MS = 15;
const LEASE_MS = 30_000;
const SWEEP_MS = 5_000;
const MAX_BACKOFF_MS = 15_000;
const SIGNAL_TIMEOUT_MS = 10_000;

interface DispatcherDeps {
  db: Database;
  actors: WorkflowTarget;
  /** Workflows continue the trace of the request that wrote the row. */
  tracing?: Pick<ApiTracing, 'continueTrace'> | undefined;
  log: FastifyBaseLogger;
}

/** `nudge` reports a new row of the outbox. */
export function startDispatcher(deps: DispatcherDeps): Loop {
  let failures = 0;
  let dispatchedAt = Number.NEGATIVE_INFINITY;
  const step = async (stopping: AbortSignal): Promise<Pause> => {
    dispatchedAt = performance.now();
    const result = await dispatchBatch(deps, stopping);
    failures = result === 'failed' ? failures + 1 : 0;
    if (result === 'full') {
      // More rows are ready, so the next batch starts at once.
      dispatchedAt = Number.NEGATIVE_INFINITY;
      return { ms: 0 };
    }
    if (failures === 0) return { ms: addJitter(SWEEP_MS) };
    // A nudge does not shorten the backoff: a burst of publishes would flood an unreachable
    // Temporal.
    return { ms: Math.min(MAX_BACKOFF_MS, 250 * 2 ** failures), endsOnNudge: false };
  };
  // Even 0 ms lets the response of the publish be sent first.
  return startLoop(step, () => (performance.now() - dispatchedAt < BURST_MS ? GATHER_MS : 0));
}

type BatchResult = 'full' | 'done' | 'failed';

async function dispatchBatch(
  { db, actors, tracing, log }: DispatcherDeps,
  stopping: AbortSignal,
): Promise<BatchResult> {
  try {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(SIGNAL_TIMEOUT_MS)]);
    const entries = await leaseOutbox(db, { limit: BATCH, leaseMs: LEASE_MS });
    const results = await Promise.allSettled(
      entries.map((entry) => {
        const signalEntry = () => actors.client.withAbortSignal(signal, () => signalActor(actors, entry));
        return tracing ? tracing.continueTrace(entry.traceparent, signalEntry) : signalEntry();
      }),
    );
    const failed = entries.filter((_, index) => results[index]?.status === 'rejected');
    const signalled = entries.filter((entry) => !failed.includes(entry));
    await removeFromOutbox(db, signalled.map(toId));
    if (failed.length > 0) {
      const reason = describeFirstFailure(results);
      await returnToOutbox(db, failed.map(toId), reason);
      log.warn({ waiting: failed.length, reason }, 'failed to signal some workflows; their entries stay in the outbox');
      // A failed row waits alone. The loop backs off only if every row failed.
      if (signalled.length === 0) return 'failed';
    }
    return entries.length === BATCH ? 'full' : 'done';
  } catch (error) {
    // The database may be unreachable. The leases expire.
    log.warn({ err: error }, 'failed to read the outbox');
    return 'failed';
  }
}

function signalActor(actors: WorkflowTarget, entry: OutboxEntry): Promise<void> {
  if ('mailId' in entry) return startMail(actors, entry);
  if ('importId' in entry) return signalImport(actors, entry);
  const { destination, concerned, traceparent: _, ...article } = entry;
  if (destination !== null) return signalCommand(actors, { ...article, destination });
  return concerned === null ? signalArticle(actors, article) : signalDeliveries(actors, article, concerned);
}

function toId({ id }: OutboxEntry): OutboxEntry['id'] {
  return id;
}

function describeFirstFailure(results: PromiseSettledResult<void>[]): string {
  const first = results.find((result) => result.status === 'rejected');
  return first?.reason instanceof Error ? first.reason.message : 'unknown reason';
}

/** Spreads the sweeps of instances that started at the same time. */
function addJitter(ms: number): number {
  return ms * (0.75 + Math.random() / 2);
}
