/** Opens the database: one `pg` pool and one Kysely over it. Column names are camelCase in code. */
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { TIMEOUTS } from '../../delivery/timeouts.ts';
import { PreparingClient } from './prepared.ts';
import type { DB } from './types.ts';

export type Database = Kysely<DB>;

/** `bigint` becomes a number (our sequences stay far below 2^53), `date` a text. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === pg.types.builtins.INT8) return Number;
    if (oid === pg.types.builtins.DATE) return String;
    return pg.types.getTypeParser(oid, format);
  },
} as pg.CustomTypesConfig;

const pools = new WeakMap<Database, MeasuredPool>();

export interface DatabaseOptions {
  /** Maximum number of open connections. */
  maxConnections?: number;
  /** Called when an idle connection breaks. Without it such an error would end the process. */
  onError?: (error: Error) => void;
  /** A pooler assigns each transaction another session, so no session settings are sent. */
  pooled?: boolean;
  /** Whether hot statements stay prepared; see prepared.ts. */
  prepares?: boolean;
}

export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const pool = new MeasuredPool({
    connectionString: url,
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: 5_000,
    // A pooler may reject these and does not forward them; its own configuration sets them there.
    ...(!options.pooled && {
      statement_timeout: TIMEOUTS.statementMs,
      idle_in_transaction_session_timeout: TIMEOUTS.idleInTransactionMs,
    }),
    query_timeout: TIMEOUTS.queryMs,
    keepAlive: true,
    types,
    Client: (options.prepares ?? !options.pooled) ? PreparingClient : pg.Client,
    // Allows several statements to be sent before the first result: see trips.ts.
    pipeline: true,
  });
  pool.on('error', (error) => options.onError?.(error));
  // A client in use can break too (a server restart between two statements); its query fails by
  // itself.
  pool.on('connect', (client) => client.on('error', (error) => options.onError?.(error)));
  // If ending a transaction failed, the connection is still in it. The pool drops a client that is
  // ending.
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

/** Open connections, statements waiting for one, longest wait. `db` is from `openDatabase`. */
export function countConnections(db: Database): { open: number; waiting: number; longestWaitMs: number } {
  const pool = pools.get(db);
  if (!pool) throw new Error('this database has no pool of its own');
  return { open: pool.totalCount, waiting: pool.waitingCount, longestWaitMs: pool.longestWaitMs };
}

/** A pool that measures how long statements wait for a connection. */
class MeasuredPool extends pg.Pool {
  /** In order of arrival, which is the order of service. */
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
    const waiter = { since: performance.now() };
    this.#waiting.add(waiter);
    return super.connect().finally(() => this.#waiting.delete(waiter));
  }
}
