/** Opens the database: one `pg` pool and one Kysely over it; column names are camelCase in code. */
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { TIMEOUTS } from '../../delivery/timeouts.ts';
import { PreparingClient } from './prepared.ts';
import type { DB } from './types.ts';

export type Database = Kysely<DB>;

/** Rows carry `bigint` as number (our sequences stay far below 2^53), `timestamptz` as `Date`, and `date`, which has no moment, as text. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === pg.types.builtins.INT8) return Number;
    if (oid === pg.types.builtins.DATE) return String;
    return pg.types.getTypeParser(oid, format);
  },
} as pg.CustomTypesConfig;

const pools = new WeakMap<Database, WaitedForPool>();

export interface DatabaseOptions {
  /** Most connections at once. */
  connections?: number;
  /** Called when an idle connection breaks; without it such an error would end the process. */
  onError?: (error: Error) => void;
  /** A pooler lends each transaction another session: nothing is said that holds for a session. */
  pooled?: boolean;
  /** Whether hot statements are kept prepared; see prepared.ts. */
  prepares?: boolean;
}

export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const pool = new WaitedForPool({
    connectionString: url,
    max: options.connections ?? 10,
    connectionTimeoutMillis: 5_000,
    // A pooler may refuse these, and would not hand them on; there its own configuration says so.
    ...(!options.pooled && {
      statement_timeout: TIMEOUTS.statementMs,
      idle_in_transaction_session_timeout: TIMEOUTS.idleInTransactionMs,
    }),
    query_timeout: TIMEOUTS.queryMs,
    keepAlive: true,
    types,
    Client: (options.prepares ?? !options.pooled) ? PreparingClient : pg.Client,
    // Several statements may be sent before the first is answered: see trips.ts.
    pipeline: true,
  });
  pool.on('error', (error) => options.onError?.(error));
  // A client in use can break too (the server restarts between two statements); its query fails by itself.
  pool.on('connect', (client) => client.on('error', (error) => options.onError?.(error)));
  // Whoever failed to end a transaction leaves its connection in it: the pool drops a client that is ending.
  pool.on('release', (_error, client) => {
    const status = client.getTransactionStatus();
    if (status === 'T' || status === 'E') void client.end();
  });
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
  pools.set(db, pool);
  return db;
}

/**
 * Of the pool behind it: connections that are open, statements that wait for one, and for how long the first in line has. For a database that was
 * opened here.
 */
export function countConnections(db: Database): { open: number; waiting: number; longestWaitMs: number } {
  const pool = pools.get(db);
  if (!pool) throw new Error('this database has no pool of its own');
  return { open: pool.totalCount, waiting: pool.waitingCount, longestWaitMs: pool.longestWaitMs };
}

/** Knows since when who waits for a connection does. */
class WaitedForPool extends pg.Pool {
  /** In the order in which they came, which is that in which they are served. */
  readonly #waiting = new Set<{ since: number }>();

  get longestWaitMs(): number {
    const [first] = this.#waiting;
    return first ? performance.now() - first.since : 0;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Parameters<pg.Pool['connect']>[0]): void;
  override connect(callback?: Parameters<pg.Pool['connect']>[0]): Promise<pg.PoolClient> | undefined {
    if (callback) {
      super.connect(callback);
      return undefined;
    }
    const one = { since: performance.now() };
    this.#waiting.add(one);
    return super.connect().finally(() => this.#waiting.delete(one));
  }
}
