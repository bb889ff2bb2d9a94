/** For the container's health check: exit code 0 where the API says that it lives, or a worker's sign of life (ALIVE_FILE) is fresh. */
import { stat } from 'node:fs/promises';

const STALE_MS = 30_000;
const { ALIVE_FILE, PORT = '3000' } = process.env;

process.exitCode = (await (ALIVE_FILE ? isFresh(ALIVE_FILE) : answers())) ? 0 : 1;

async function isFresh(file: string): Promise<boolean> {
  const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: 0 }));
  return Date.now() - mtimeMs < STALE_MS;
}

/** Not `ready`: who is not ready is taken out by the balancer, and need not be started anew. */
async function answers(): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${PORT}/health/live`, { signal: AbortSignal.timeout(4_000) }).catch(
    () => null,
  );
  return answer?.status === 200;
}
