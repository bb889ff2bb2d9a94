/**
 * The health check of containers. Exits with 0 if the API responds to `/health/live`, or if the
 * ALIVE_FILE of a worker is fresh.
 */
import { stat } from 'node:fs/promises';

const MAX_AGE_MS = 30_000;
const { ALIVE_FILE, PORT = '3000' } = process.env;

process.exitCode = (await (ALIVE_FILE ? isFresh(ALIVE_FILE) : isLive())) ? 0 : 1;

async function isFresh(file: string): Promise<boolean> {
  const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: 0 }));
  return Date.now() - mtimeMs < MAX_AGE_MS;
}

/**
 * Liveness, not readiness: the load balancer excludes an API that is not ready, which needs no
 * restart.
 */
async function isLive(): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${PORT}/health/live`, { signal: AbortSignal.timeout(4_000) }).catch(
    () => null,
  );
  return response?.status === 200;
}
