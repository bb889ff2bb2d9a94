/** Notes every few seconds that this worker runs and reaches Temporal: an article that is late can then say what was away. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Database } from '../store/db/database.ts';
import { noteSighting } from '../store/sightings/note.ts';

const EVERY_MS = 10_000;
const TEMPORAL_TIMEOUT_MS = 5_000;

/** Returns what stops it, which resolves when nothing is written any more. */
export function startSightings(deps: {
  db: Database;
  connection: Connection;
  log: Pick<Logger, 'warn'>;
}): () => Promise<void> {
  const { db, connection, log } = deps;
  const process = randomUUID();
  const stopping = new AbortController();
  const note = async () => {
    await noteSighting(db, 'worker', process);
    await connection.withAbortSignal(stopping.signal, () =>
      connection.withDeadline(Date.now() + TEMPORAL_TIMEOUT_MS, () => connection.workflowService.getSystemInfo({})),
    );
    await noteSighting(db, 'temporal', process);
  };
  const running = (async () => {
    while (!stopping.signal.aborted) {
      // What is away is not noted, and that is what the rows are for.
      await note().catch((error: unknown) =>
        log.warn({ reason: (error as Error).message }, 'the service is not whole'),
      );
      await sleep(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return async () => {
    stopping.abort();
    await running;
  };
}
