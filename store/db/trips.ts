/**
 * Transactions with few round trips. Each awaited statement costs one and an event loop turn, so
 * independent statements are sent together: `begin` with the first ones, `commit` with the last.
 */
import {
  AbortedTransactionError,
  CompiledQuery,
  type Kysely,
  type QueryResult,
  type Transaction,
  type UnknownRow,
} from 'kysely';
import type { Database } from './database.ts';
import { type RowOf, retryLostPlans } from './prepared.ts';
import type { DB } from './types.ts';

type RowsOf<Statements extends readonly CompiledQuery[]> = {
  [Index in keyof Statements]: RowOf<Statements[Index]>[];
};

export interface TripTransaction {
  /** Committed after the work is done, rolled back if the work throws. */
  tx: Transaction<DB>;
  /** Sends independent statements together. Returns the rows of each. */
  send<const Statements extends readonly CompiledQuery[]>(...statements: Statements): Promise<RowsOf<Statements>>;
  /** Sends the last statements together with `commit`. Nothing may follow them. */
  commitWith<const Statements extends readonly CompiledQuery[]>(...statements: Statements): Promise<RowsOf<Statements>>;
}

const [BEGIN, COMMIT, ROLLBACK] = ['begin', 'commit', 'rollback'].map((text) => CompiledQuery.raw(text)) as [
  CompiledQuery,
  CompiledQuery<{ command: string }>,
  CompiledQuery,
];

/**
 * A statement sees everything committed before it began, so a lock can be followed by a read under
 * it. `opening` must only read: it is sent before `begin` is known to succeed. If PostgreSQL lost a
 * prepared statement, all is repeated, so `work` may change the database only.
 */
export async function transactInTrips<const Opening extends readonly CompiledQuery[], Result>(
  db: Database,
  opening: Opening,
  work: (transaction: TripTransaction, opened: RowsOf<Opening>) => Promise<Result>,
): Promise<Result> {
  const progress: Progress = { isCommitted: false };
  const transact = () => db.connection().execute((connection) => transactOnce(connection, opening, work, progress));
  return retryLostPlans(transact, () => !progress.isCommitted);
}

interface Progress {
  isCommitted: boolean;
}

async function transactOnce<const Opening extends readonly CompiledQuery[], Result>(
  connection: Kysely<DB>,
  opening: Opening,
  work: (transaction: TripTransaction, opened: RowsOf<Opening>) => Promise<Result>,
  progress: Progress,
): Promise<Result> {
  // Until the commit is sent.
  let isOpen = true;
  const send: TripTransaction['send'] = (...statements) => sendTogether(connection, statements);
  const commitWith: TripTransaction['commitWith'] = async (...statements) => {
    isOpen = false;
    const rows = await sendTogether<readonly CompiledQuery[]>(connection, [...statements, COMMIT]);
    requireCommit(rows.at(-1) as { command: string }[]);
    progress.isCommitted = true;
    return rows.slice(0, -1) as unknown as RowsOf<typeof statements>;
  };
  try {
    const [, ...opened] = await sendTogether(connection, [BEGIN, ...opening]);
    // A transaction of Kysely is also a connection on which `begin` was sent.
    const tx = connection as Transaction<DB>;
    const result = await work({ tx, send, commitWith }, opened as unknown as RowsOf<Opening>);
    if (isOpen) await commitWith();
    return result;
  } catch (error) {
    // If this fails too, the pool drops the connection: see database.ts.
    if (isOpen) await connection.executeQuery(ROLLBACK).catch(() => undefined);
    throw error;
  }
}

/** PostgreSQL answers `commit` with ROLLBACK if an earlier statement failed. */
function requireCommit([last]: { command: string }[]): void {
  if (last?.command !== 'COMMIT') throw new AbortedTransactionError();
}

/** Sends reads together, outside a transaction, and all again if PostgreSQL has lost one. */
export async function runTogether<const Statements extends readonly CompiledQuery[]>(
  db: Database,
  ...statements: Statements
): Promise<RowsOf<Statements>> {
  return retryLostPlans(() => sendTogether(db, statements));
}

/** Bypasses Kysely, which would send them one by one. Throws the first error. */
async function sendTogether<const Statements extends readonly CompiledQuery[]>(
  db: Kysely<DB>,
  statements: Statements,
): Promise<RowsOf<Statements>> {
  const executor = db.getExecutor();
  const serialised = statements.map(serialiseObjects);
  const rows = await executor.provideConnection(async (connection) => {
    const sent = serialised.map(async (statement) => {
      let result = (await connection.executeQuery(statement)) as QueryResult<UnknownRow>;
      for (const plugin of executor.plugins) {
        result = await plugin.transformResult({ result, queryId: statement.queryId });
      }
      return result.rows;
    });
    // Waits for all results before the connection is reused.
    await Promise.allSettled(sent);
    return Promise.all(sent);
  });
  return rows as unknown as RowsOf<Statements>;
}

/** `pg` would skip a statement with objects that cannot be serialised, and send the `commit`. */
function serialiseObjects(statement: CompiledQuery): CompiledQuery {
  return { ...statement, parameters: statement.parameters.map(serialiseObject) };
}

function serialiseObject(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(serialiseObject);
  const isObject = typeof value === 'object' && value !== null;
  return isObject && !(value instanceof Date) && !ArrayBuffer.isView(value) ? JSON.stringify(value) : value;
}
