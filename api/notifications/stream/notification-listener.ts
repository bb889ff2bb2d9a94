/**
 * The LISTEN connection, one per instance, for all who want to hear something. It is asked several times a second whether it still hears,
 * because a half-open one would be silent for ever; who hears of changes only by it must know how long ago that was certain.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';

export interface ListenerAudience {
  /** What to do with the payload of a notification, by its channel. */
  channels: Record<string, (payload: string) => void>;
  /** From now on everything is heard; what was said before may have been missed. */
  onListening(): void;
  /** Everything that was committed before this moment, by `performance.now()`, has been heard. */
  onHeard?(askedAt: number): void;
  onLost?(): void;
}

export interface NotificationListener {
  /** Resolves once everything is heard that was committed before the call; false where that takes too long. */
  catchUp(withinMs: number): Promise<boolean>;
  isListening(): boolean;
  stop(): Promise<void>;
}

const PROBE_EVERY_MS = 250;
const ANSWER_WITHIN_MS = 5_000;
const LONGEST_WAIT_MS = 10_000;

export interface ListenerDeps {
  /** Of PostgreSQL itself: a pooler that lends sessions for a transaction takes what was listened to back. */
  databaseUrl: string;
  audiences: readonly ListenerAudience[];
  log: FastifyBaseLogger;
}

interface Probe {
  /** Asks the connection a question; resolves once everything is heard that was committed before. */
  ask(): Promise<void>;
  /** For how long a question has been without an answer; 0 where none is. */
  countUnansweredMs(): number;
}

export function startNotificationListener(deps: ListenerDeps): NotificationListener {
  const stopping = new AbortController();
  let probe: Probe | null = null;
  const running = (async () => {
    for (let failures = 0; !stopping.signal.aborted; ) {
      const reason = await listenUntilBroken(deps, stopping.signal, (present) => {
        failures = 0;
        probe = present;
      });
      probe = null;
      for (const { onLost } of deps.audiences) onLost?.();
      if (stopping.signal.aborted) return;
      failures += 1;
      deps.log.warn({ reason }, 'the notification listener lost its connection; connecting again');
      await pause(Math.min(LONGEST_WAIT_MS, 100 * 2 ** failures), stopping.signal);
    }
  })();
  return {
    async catchUp(withinMs) {
      // Where another has waited so long already, the next would only wait in vain as well.
      if (!probe || probe.countUnansweredMs() > withinMs) return false;
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const tooLong = setTimeout(() => resolve(false), withinMs);
      probe.ask().then(
        () => resolve(true),
        () => resolve(false),
      );
      return promise.finally(() => clearTimeout(tooLong));
    },
    isListening: () => probe !== null,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Resolves with the reason why the connection ended. */
async function listenUntilBroken(
  { databaseUrl, audiences }: ListenerDeps,
  signal: AbortSignal,
  onListening: (probe: Probe) => void,
): Promise<string> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
    keepAlive: true,
  });
  const over = new AbortController();
  const broken = new Promise<string>((resolve) => {
    // More than one error may come; one without a listener would end the process.
    client.on('error', (error) => resolve(error.message));
    client.once('end', () => resolve('the connection was closed'));
    signal.addEventListener('abort', () => resolve('stopping'), { once: true, signal: over.signal });
  });
  client.on('notification', ({ channel, payload }) => {
    for (const { channels } of audiences) channels[channel]?.(payload ?? '');
  });
  try {
    await client.connect();
    const listen = audiences.flatMap(({ channels }) => Object.keys(channels).map((channel) => `listen ${channel}`));
    await client.query(listen.join('; '));
    const probe = createProbe(async () => {
      const askedAt = performance.now();
      // To listen once more changes nothing; the answer comes behind all notifications of what was committed before.
      await client.query(listen[0] ?? 'select 1');
      for (const { onHeard } of audiences) onHeard?.(askedAt);
    });
    onListening(probe);
    for (const audience of audiences) audience.onListening();
    return await Promise.race([broken, probeUntilUnanswered(probe, over.signal)]);
  } catch (error) {
    return (error as Error).message;
  } finally {
    over.abort();
    // Not awaited: a half-open connection does not answer this either.
    client.end().catch(() => undefined);
  }
}

async function probeUntilUnanswered(probe: Probe, signal: AbortSignal): Promise<string> {
  for (;;) {
    try {
      await probe.ask();
    } catch (error) {
      return (error as Error).message;
    }
    await pause(PROBE_EVERY_MS, signal);
    if (signal.aborted) return 'stopping';
  }
}

/** Many may ask at once: one question is under way, and another answers all who came since it was sent. */
function createProbe(question: () => Promise<void>): Probe {
  let present: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let begunAt = 0;
  const begin = (): Promise<void> => {
    begunAt = performance.now();
    const asked = question().finally(() => {
      if (present === asked) present = null;
    });
    present = asked;
    return asked;
  };
  return {
    ask() {
      if (!present) return begin();
      next ??= present.then(
        () => {
          next = null;
          return begin();
        },
        (error: unknown) => {
          next = null;
          throw error;
        },
      );
      return next;
    },
    countUnansweredMs: () => (present ? performance.now() - begunAt : 0),
  };
}

/** Ends early when the signal aborts. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
