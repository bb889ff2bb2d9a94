/**
 * Carries the outbox to the actors. Nudged right after a commit, sweeping for what other instances left behind, slower
 * while Temporal is away. A publish never waits for it.
 */
import { setTimeout } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../store/db/database.ts';
import { leaseOutbox, type OutboxEntry, removeFromOutbox, returnToOutbox } from '../../store/outbox/lease.ts';
import { type Actors, signalArticle, signalDecision } from '../../temporal/signals.ts';

export interface Dispatcher {
  /** Something was put into the outbox. */
  nudge(): void;
  /** Ends after what is being told now. */
  stop(): Promise<void>;
}

const BATCH = 20;
const GATHER_MS = 15;
const LEASE_MS = 30_000;
const SWEEP_MS = 5_000;
const LONGEST_WAIT_MS = 15_000;
const SIGNAL_TIMEOUT_MS = 10_000;

export function startDispatcher(deps: { db: Database; actors: Actors; log: FastifyBaseLogger }): Dispatcher {
  const stopping = new AbortController();
  let nudged = false;
  let wake: () => void = () => undefined;

  const running = (async () => {
    let failures = 0;
    while (!stopping.signal.aborted) {
      nudged = false;
      const result = await dispatchBatch(deps, stopping.signal);
      failures = result === 'trouble' ? failures + 1 : 0;
      if (stopping.signal.aborted) return;
      if (result === 'full' || (nudged && failures === 0)) continue;
      // Away is away: a nudge does not shorten the wait after a failure, or a burst of publishes would hammer on it.
      const waitMs = failures > 0 ? Math.min(LONGEST_WAIT_MS, 250 * 2 ** failures) : jittered(SWEEP_MS);
      const nudge = new AbortController();
      wake = failures > 0 ? () => undefined : () => nudge.abort();
      const signal = AbortSignal.any([nudge.signal, stopping.signal]);
      await setTimeout(waitMs, undefined, { signal }).catch(() => undefined);
      // The answers of publishes go first, and what comes within a moment is told together.
      if (nudged && !stopping.signal.aborted) await setTimeout(GATHER_MS);
    }
  })();

  return {
    nudge() {
      nudged = true;
      wake();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

type BatchResult = 'full' | 'done' | 'trouble';

async function dispatchBatch(
  { db, actors, log }: Parameters<typeof startDispatcher>[0],
  stopping: AbortSignal,
): Promise<BatchResult> {
  let entries: OutboxEntry[] = [];
  try {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(SIGNAL_TIMEOUT_MS)]);
    entries = await leaseOutbox(db, { limit: BATCH, leaseMs: LEASE_MS });
    const told = await Promise.allSettled(
      entries.map((entry) => actors.client.withAbortSignal(signal, () => tell(actors, entry))),
    );
    const refused = entries.filter((_, index) => told[index]?.status === 'rejected');
    await removeFromOutbox(
      db,
      entries.filter((entry) => !refused.includes(entry)).map((entry) => entry.id),
    );
    if (refused.length === 0) return entries.length === BATCH ? 'full' : 'done';
    const reason = describeRefusal(told);
    await returnToOutbox(
      db,
      refused.map((entry) => entry.id),
      reason,
    );
    log.warn({ waiting: refused.length, reason }, 'the actors could not be told; the outbox keeps them');
    // One that is refused for itself waits for itself; only where nobody can be told does the loop wait.
    return refused.length === entries.length ? 'trouble' : 'done';
  } catch (error) {
    // The database is away: leases expire by themselves.
    log.warn({ err: error }, 'the outbox could not be worked on');
    return 'trouble';
  }
}

function tell(actors: Actors, { destination, ...news }: OutboxEntry): Promise<void> {
  return destination === null ? signalArticle(actors, news) : signalDecision(actors, { ...news, destination });
}

function describeRefusal(told: PromiseSettledResult<void>[]): string {
  const first = told.find((result) => result.status === 'rejected');
  return first?.reason instanceof Error ? first.reason.message : 'no reason was given';
}

/** Instances that started together should not sweep together. */
function jittered(ms: number): number {
  return ms * (0.75 + Math.random() / 2);
}
