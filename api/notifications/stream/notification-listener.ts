/**
 * The LISTEN connection of this instance. A query probes it several times a second, because a
 * half-open connection receives nothing. Each response proves that all earlier notifications have
 * arrived.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';

export interface ListenerAudience {
  /** Handlers of payloads by channel. */
  channels: Record<string, (payload: string) => void>;
  /** All later notifications will arrive. Earlier ones may have been missed. */
  onListening(): void;
  /** Every notification committed before `probedAt` (`performance.now()`) has arrived. */
  onCaughtUp?(probedAt: number): void;
  onLost?(): void;
}

export type NotificationListener = ReturnType<typeof startNotificationListener>;

const PROBE_INTERVAL_MS = 250;
const RESPONSE_TIMEOUT_MS = 5_000;
const MAX_RECONNECT_DELAY_MS = 10_000;

interface ListenerDeps {
  /** A direct connection to PostgreSQL: transaction poolers do not keep LISTEN registrations. */
  databaseUrl: string;
  audiences: readonly ListenerAudience[];
  log: FastifyBaseLogger;
}

/** Sends a query. Resolves once every notification of earlier commits has arrived. */
type Probe = () => Promise<void>;

export function startNotificationListener(deps: ListenerDeps) {
  const stopping = new AbortController();
  let probe: Probe | null = null;
  const running = (async () => {
    for (let failures = 0; !stopping.signal.aborted; ) {
      const reason = await listenUntilBroken(deps, stopping.signal, (current) => {
        failures = 0;
        probe = current;
      });
      probe = null;
      for (const { onLost } of deps.audiences) onLost?.();
      if (stopping.signal.aborted) return;
      failures += 1;
      deps.log.warn({ reason }, 'the notification listener lost its connection; reconnecting');
      await pause(Math.min(MAX_RECONNECT_DELAY_MS, 100 * 2 ** failures), stopping.signal);
    }
  })();
  return {
    /** Resolves with true once every earlier commit has arrived, with false after `withinMs`. */
    async catchUp(withinMs: number): Promise<boolean> {
      if (!probe) return false;
      const timeout = sleep(withinMs, false, { ref: false });
      return Promise.race([probe().then(() => true), timeout]).catch(() => false);
    },
    isListening: () => probe !== null,
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}

/** Resolves with the reason why the connection ended. */
async function listenUntilBroken(
  { databaseUrl, audiences, log }: ListenerDeps,
  signal: AbortSignal,
  onListening: (probe: Probe) => void,
): Promise<string> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: RESPONSE_TIMEOUT_MS,
    query_timeout: RESPONSE_TIMEOUT_MS,
    keepAlive: true,
  });
  const finished = new AbortController();
  const broken = new Promise<string>((resolve) => {
    // Several errors can follow, and one without a listener would end the process.
    client.on('error', (error) => resolve(error.message));
    client.once('end', () => resolve('the connection was closed'));
    signal.addEventListener('abort', () => resolve('stopping'), { once: true, signal: finished.signal });
  });
  client.on('notification', ({ channel, payload }) => {
    for (const { channels } of audiences) {
      try {
        channels[channel]?.(payload ?? '');
      } catch (error) {
        // Every client of the database may send anything. Thrown here, it would end the process.
        log.warn({ err: error, channel }, 'ignored a notification with a malformed payload');
      }
    }
  });
  try {
    await client.connect();
    const listen = audiences.flatMap(({ channels }) => Object.keys(channels).map((channel) => `listen ${channel}`));
    await client.query(listen.join('; '));
    const probe = shareProbes(async () => {
      const probedAt = performance.now();
      // LISTEN again has no effect. Its response follows all notifications of earlier commits.
      await client.query(listen[0] ?? 'select 1');
      for (const { onCaughtUp } of audiences) onCaughtUp?.(probedAt);
    });
    onListening(probe);
    for (const audience of audiences) audience.onListening();
    return await Promise.race([broken, probeUntilUnanswered(probe, finished.signal)]);
  } catch (error) {
    return (error as Error).message;
  } finally {
    finished.abort();
    // Not awaited, because a half-open connection does not respond to this either.
    client.end().catch(() => undefined);
  }
}

async function probeUntilUnanswered(probe: Probe, signal: AbortSignal): Promise<string> {
  for (;;) {
    try {
      await probe();
    } catch (error) {
      return (error as Error).message;
    }
    await pause(PROBE_INTERVAL_MS, signal);
    if (signal.aborted) return 'stopping';
  }
}

/** At most one query runs. All callers that arrive while it runs share the next one. */
function shareProbes(query: Probe): Probe {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const start = (): Promise<void> => {
    next = null;
    const started = query().finally(() => {
      if (running === started) running = null;
    });
    running = started;
    return started;
  };
  return () => {
    if (running === null) return start();
    next ??= running.then(start);
    return next;
  };
}

/** Ends early when the signal aborts. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
