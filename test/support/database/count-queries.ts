/**
 * Counts the database queries of requests. Excludes background queries of the process, and the
 * shared query on the LISTEN connection, whose timing varies.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mock } from 'node:test';
import pg from 'pg';

const REQUEST_START = 'http.server.request.start';

/** Counts the statements of requests that servers in this process receive during `run`. */
export async function countQueries<Answer>(run: () => Promise<Answer>): Promise<{ queries: number; answer: Answer }> {
  const requests = new AsyncLocalStorage<true>();
  const enter = () => requests.enterWith(true);
  let queries = 0;
  const { query } = pg.Client.prototype;
  const spy = mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...values: unknown[]) {
    if (requests.getStore() && !isListen(values[0])) queries += 1;
    return Reflect.apply(query, this, values);
  });
  subscribe(REQUEST_START, enter);
  try {
    const answer = await run();
    return { queries, answer };
  } finally {
    unsubscribe(REQUEST_START, enter);
    spy.mock.restore();
  }
}

function isListen(statement: unknown): boolean {
  return typeof statement === 'string' && statement.startsWith('listen ');
}
