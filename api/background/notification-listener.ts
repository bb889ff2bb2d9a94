/**
 * The LISTEN connection, one per instance. It is probed regularly, because a half-open one would be silent for ever. After every
 * reconnect all streams are woken, to catch up from the table.
 */
import { setTimeout } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import { NOTIFICATION_CHANNEL } from '../../store/notifications/add.ts';
import { SUSPENSION_CHANNEL } from '../../store/users/suspensions.ts';
import type { EventHub } from './event-hub.ts';

const PROBE_EVERY_MS = 10_000;
const ANSWER_WITHIN_MS = 5_000;
const LONGEST_WAIT_MS = 10_000;

export function startNotificationListener(deps: { databaseUrl: string; hub: EventHub; log: FastifyBaseLogger }): {
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  const running = (async () => {
    for (let failures = 0; !stopping.signal.aborted; ) {
      const reason = await listenUntilBroken(deps, stopping.signal, () => {
        failures = 0;
      });
      if (stopping.signal.aborted) return;
      failures += 1;
      deps.log.warn({ reason }, 'the notification listener lost its connection; connecting again');
      await pause(Math.min(LONGEST_WAIT_MS, 100 * 2 ** failures), stopping.signal);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Resolves with the reason why the connection ended. */
async function listenUntilBroken(
  { databaseUrl, hub }: Parameters<typeof startNotificationListener>[0],
  signal: AbortSignal,
  onListening: () => void,
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
    if (channel === SUSPENSION_CHANNEL) return hub.end(payload ?? '');
    const announced = readAnnouncement(payload);
    if (announced !== null) hub.wake(announced.userId, announced.number);
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    await client.connect();
    await client.query(`listen ${NOTIFICATION_CHANNEL}; listen ${SUSPENSION_CHANNEL}`);
    onListening();
    hub.wakeAll();
    const unanswered = new Promise<string>((resolve) => {
      timer = setInterval(() => {
        client.query('select 1').catch((error: Error) => resolve(error.message));
      }, PROBE_EVERY_MS);
    });
    return await Promise.race([broken, unanswered]);
  } catch (error) {
    return (error as Error).message;
  } finally {
    clearInterval(timer);
    over.abort();
    // Not awaited: a half-open connection does not answer this either.
    client.end().catch(() => undefined);
  }
}

function readAnnouncement(payload: string | undefined): { userId: string; number: number } | null {
  try {
    const { userId, number } = JSON.parse(payload ?? '') as { userId?: unknown; number?: unknown };
    return typeof userId === 'string' && typeof number === 'number' ? { userId, number } : null;
  } catch {
    // Another program's message on our channel.
    return null;
  }
}

/** Ends early when the signal aborts. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
}
