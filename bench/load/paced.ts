/**
 * Open-loop load: a request is sent when its time has come, whether the ones before are answered or not, and is timed from that moment on. So a
 * server that stalls is seen by all who would have come meanwhile, where clients that wait for an answer would have stayed away.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Dispatcher, Pool } from 'undici';

/** Enough that requests wait at the server and not here: those of so many seconds, up to so many. */
const CONNECTION_SECONDS = 2;
const MOST_CONNECTIONS = 512;
const FEWEST_CONNECTIONS = 8;
/** Beyond it the server is lost, and so would be the memory of this process. */
const MOST_OPEN = 2_000;
/** After the end of the load. */
const PATIENCE_MS = 60_000;

export interface Request {
  method?: Dispatcher.HttpMethod;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Tally {
  name: string;
  sent: number;
  /** Milliseconds of the answers that are as they should be, from the time at which the request was due; sorted. */
  times: number[];
  /** By status, or by the code of the error. */
  failures: Map<string, number>;
  /** Refusals that say when to come again. */
  told: number;
}

export interface PacedLoad {
  name: string;
  perSecond: number;
  next: (n: number) => Request;
  /** What an answer holds, where it is needed. */
  onAnswer?: (text: string) => void;
  /** Which answers are as they should be: 200 to 399 by default. */
  isRight?: (status: number) => boolean;
}

export async function runPaced(
  origin: string,
  { name, perSecond, next, onAnswer, isRight = (status) => status < 400 }: PacedLoad,
  seconds: number,
): Promise<Tally> {
  const connections = Math.min(MOST_CONNECTIONS, Math.max(FEWEST_CONNECTIONS, perSecond * CONNECTION_SECONDS));
  const pool = new Pool(origin, { connections, pipelining: 1 });
  await openConnections(pool, connections);
  const tally: Tally = { name, sent: 0, times: [], failures: new Map(), told: 0 };
  const open = new Set<Promise<void>>();
  let isOver = false;
  const fail = (code: string) => void tally.failures.set(code, (tally.failures.get(code) ?? 0) + 1);
  const send = async (request: Request, due: number) => {
    try {
      const { statusCode, headers, body } = await pool.request({ method: 'GET', ...request });
      const text = await body.text();
      if (!isRight(statusCode)) {
        if (headers['retry-after'] !== undefined) tally.told += 1;
        return fail(String(statusCode));
      }
      tally.times.push(performance.now() - due);
      onAnswer?.(text);
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
    if (open.size >= MOST_OPEN) {
      fail('not sent, too many wait');
      continue;
    }
    const one = send(next(n), due).finally(() => open.delete(one));
    open.add(one);
  }
  await Promise.race([Promise.all(open), sleep(PATIENCE_MS, undefined, { ref: false })]);
  isOver = true;
  if (open.size > 0) tally.failures.set('never answered', open.size);
  await pool.destroy();
  tally.times.sort((one, other) => one - other);
  return tally;
}

/**
 * By and by, and before anything is measured: Node accepts one connection in each turn of its event loop, so clients that all connect at once when
 * the server has just got work wait for that, and not for their answers.
 */
async function openConnections(pool: Pool, connections: number): Promise<void> {
  for (let count = 1; count < 2 * connections; count *= 2) {
    const asked = Array.from({ length: Math.min(count, connections) }, async () => {
      const { body } = await pool.request({ method: 'GET', path: '/health/live' });
      await body.dump();
    });
    await Promise.all(asked);
  }
}
