/**
 * The LISTEN connection, one an instance. It is asked for a sign of life, because a half-open one would be silent for
 * ever (F20); after every reconnect everybody is woken, to catch up from the table.
 */
import { setTimeout } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import { NOTIFICATION_CHANNEL } from '../../store/notifications/add.ts';
import type { EventHub } from './event-hub.ts';

const SIGN_OF_LIFE_MS = 10_000;
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

/** Answers why it ended. */
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
    // It may fail more than once; an error that nobody listens for would end the process.
    client.on('error', (error) => resolve(error.message));
    client.once('end', () => resolve('the connection was closed'));
    signal.addEventListener('abort', () => resolve('stopping'), { once: true, signal: over.signal });
  });
  client.on('notification', ({ payload }) => {
    const userId = readUserId(payload);
    if (userId !== null) hub.wake(userId);
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    await client.connect();
    await client.query(`listen ${NOTIFICATION_CHANNEL}`);
    onListening();
    hub.wakeAll();
    const silent = new Promise<string>((resolve) => {
      timer = setInterval(() => {
        client.query('select 1').catch((error: Error) => resolve(error.message));
      }, SIGN_OF_LIFE_MS);
    });
    return await Promise.race([broken, silent]);
  } catch (error) {
    return (error as Error).message;
  } finally {
    clearInterval(timer);
    over.abort();
    // A half-open connection does not answer a goodbye either; nobody waits for it.
    client.end().catch(() => undefined);
  }
}

function readUserId(payload: string | undefined): string | null {
  try {
    const { userId } = JSON.parse(payload ?? '') as { userId?: unknown };
    return typeof userId === 'string' ? userId : null;
  } catch {
    // Somebody else's message on our channel.
    return null;
  }
}

/** Ends early when it is time to stop. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
}
