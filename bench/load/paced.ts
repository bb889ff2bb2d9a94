/**
 * Open-loop load: sends each request at its due time, whatever the state of earlier ones, and
 * measures from that time. A server that stalls thus affects all requests in that period;
 * closed-loop clients would send fewer.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Dispatcher, Pool } from 'undici';

/**
 * Connections for this many seconds of requests, so that requests queue at the server, not in this
 * process.
 */
const CONNECTION_SECONDS = 2;
const MAX_CONNECTIONS = 512;
const MIN_CONNECTIONS = 8;
/**
 * More open requests mean that the server is overloaded; they would exhaust the memory of this
 * process.
 */
const MAX_OPEN_REQUESTS = 2_000;
/** The wait for responses after the end of the load. */
const DRAIN_TIMEOUT_MS = 60_000;

export interface Request {
  method?: Dispatcher.HttpMethod;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface LoadResult {
  name: string;
  sent: number;
  /** Milliseconds from the due time to each valid response, sorted. */
  times: number[];
  /** By status or error code. */
  failures: Map<string, number>;
  /** Rejections with a Retry-After header. */
  retryHints: number;
}

export interface PacedLoad {
  name: string;
  perSecond: number;
  next: (n: number) => Request;
  /** Receives the body of a valid response. */
  onResponse?: (text: string) => void;
  /** Whether a status is valid; by default below 400. */
  isValid?: (status: number) => boolean;
}

export async function runPaced(
  origin: string,
  { name, perSecond, next, onResponse, isValid = (status) => status < 400 }: PacedLoad,
  seconds: number,
): Promise<LoadResult> {
  const connections = Math.min(MAX_CONNECTIONS, Math.max(MIN_CONNECTIONS, perSecond * CONNECTION_SECONDS));
  const pool = new Pool(origin, { connections, pipelining: 1 });
  await openConnections(pool, connections);
  const tally: LoadResult = { name, sent: 0, times: [], failures: new Map(), retryHints: 0 };
  const open = new Set<Promise<void>>();
  let isOver = false;
  const fail = (code: string) => void tally.failures.set(code, (tally.failures.get(code) ?? 0) + 1);
  const send = async (request: Request, due: number) => {
    try {
      const { statusCode, headers, body } = await pool.request({ method: 'GET', ...request });
      const text = await body.text();
      if (!isValid(statusCode)) {
        if (headers['retry-after'] !== undefined) tally.retryHints += 1;
        return fail(String(statusCode));
      }
      tally.times.push(performance.now() - due);
      onResponse?.(text);
    } catch (error) {
      if (!isOver) fail(error instanceof Error && 'code' in error ? String(error.code) : String(error));
    }
  };
  const begun = performance.now();
  for (let n = 0; n < perSecond * seconds; n++) {
    const due = begun + (n / perSecond) * 1_000;
    const early = due - performance.now();
    if (early > 1) await sleep(early);
    tally.sent += 1;
    if (open.size >= MAX_OPEN_REQUESTS) {
      fail('not sent, too many wait');
      continue;
    }
    const pending = send(next(n), due).finally(() => open.delete(pending));
    open.add(pending);
  }
  await Promise.race([Promise.all(open), sleep(DRAIN_TIMEOUT_MS, undefined, { ref: false })]);
  isOver = true;
  if (open.size > 0) tally.failures.set('never answered', open.size);
  await pool.destroy();
  tally.times.sort((a, b) => a - b);
  return tally;
}

/**
 * Opens connections gradually before the measurement: Node accepts one connection per event loop
 * iteration, so clients that all connect at once to a busy server wait for that instead of for
 * responses.
 */
async function openConnections(pool: Pool, connections: number): Promise<void> {
  for (let count = 1; count < 2 * connections; count *= 2) {
    const requests = Array.from({ length: Math.min(count, connections) }, async () => {
      const { body } = await pool.request({ method: 'GET', path: '/health/live' });
      await body.dump();
    });
    await Promise.all(requests);
  }
}
