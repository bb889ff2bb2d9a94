/** Records periodically that this worker and Temporal run. The page of a late article reads it. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Database } from '../store/db/database.ts';
import { recordSighting } from '../store/sightings/record-sighting.ts';

const EVERY_MS = 10_000;
const TEMPORAL_TIMEOUT_MS = 5_000;

/** Returns a stop function, which resolves after the last write. */
export function startSightings(deps: {
  db: Database;
  connection: Connection;
  log: Pick<Logger, 'warn'>;
}): () => Promise<void> {
  const { db, connection, log } = deps;
  const process = randomUUID();
  const stopping = new AbortController();
  const recordOnce = async () => {
    await recordSighting(db, 'worker', process);
    await connection.withAbortSignal(stopping.signal, () =>
      connection.withDeadline(Date.now() + TEMPORAL_TIMEOUT_MS, () => connection.workflowService.getSystemInfo({})),
    );
    await recordSighting(db, 'temporal', process);
  };
  const running = (async () => {
    while (!stopping.signal.aborted) {
      // A missing row is the signal, so a failure is only logged.
      await recordOnce().catch((error: unknown) =>
        log.warn({ reason: (error as Error).message }, 'could not record that the worker and Temporal are available'),
      );
      await sleep(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return async () => {
    stopping.abort();
    await running;
  };
}
