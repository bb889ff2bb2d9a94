/**
 * The LISTEN connection, one per instance. It is probed regularly, because a half-open one would be silent for ever. After every
 * reconnect all streams are woken, to catch up from the table.
 */
import { setTimeout } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import { NOTIFICATION_CHANNEL } from '../../store/notifications/announce.ts';
import type { NotificationEvent } from '../../store/notifications/event.ts';
import { SESSION_CHANNEL } from '../../store/sessions/end-sessions.ts';
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
    const { userId, number, event, sessionId } = readAnnouncement(payload);
    if (typeof userId !== 'string') return;
    if (channel === SESSION_CHANNEL && typeof sessionId === 'string') hub.endSession({ userId, sessionId });
    if (channel === NOTIFICATION_CHANNEL && typeof number === 'number') {
      hub.wake(userId, number, event as NotificationEvent | undefined);
    }
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    await client.connect();
    await client.query(`listen ${NOTIFICATION_CHANNEL}; listen ${SUSPENSION_CHANNEL}; listen ${SESSION_CHANNEL}`);
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

/** Nothing where it is another program's message on our channel. */
function readAnnouncement(payload: string | undefined): Record<string, unknown> {
  try {
    return Object(JSON.parse(payload ?? '')) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** Ends early when the signal aborts. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
}
