/**
 * How often a request asks the database. What runs in the background of the same process is not counted: it was begun by no request. Neither
 * is the question to the LISTEN connection whether all is heard: it is asked once for all who wait, now within a request and now after it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mock } from 'node:test';
import pg from 'pg';

const REQUEST_START = 'http.server.request.start';

/** The statements that the requests which reach a server of this process during `run` send, and what `run` answers. */
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
