/**
 * Counts round trips to PostgreSQL. A pipelined statement shares the round trip of earlier ones on
 * its connection.
 */
import { mock } from 'node:test';
import pg from 'pg';

/** Counts all statements of this process during `run`. */
export async function countRoundTrips<Answer>(
  run: () => Promise<Answer>,
): Promise<{ trips: number; statements: number; answer: Answer }> {
  const unanswered = new Map<pg.Client, number>();
  const count = (client: pg.Client, change: number) => {
    const before = unanswered.get(client) ?? 0;
    unanswered.set(client, before + change);
    return before;
  };
  let [trips, statements] = [0, 0];
  const { query } = pg.Client.prototype;
  const spy = mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...values: unknown[]) {
    statements += 1;
    if (count(this, 1) === 0) trips += 1;
    const result = Reflect.apply(query, this, values) as Promise<unknown>;
    const end = () => count(this, -1);
    result.then(end, end);
    return result;
  });
  try {
    const answer = await run();
    return { trips, statements, answer };
  } finally {
    spy.mock.restore();
  }
}
