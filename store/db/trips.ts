/**
 * Transactions that need few round trips. Each statement that is waited for costs the time to PostgreSQL and back and a turn of the event loop;
 * here those that need no answer of the one before are sent together: `begin` with the first statements, `commit` with the last.
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
import { type RowOf, repeatIfPlansAreLost } from './prepared.ts';
import type { DB } from './types.ts';

type RowsOf<Statements extends readonly CompiledQuery[]> = {
  [Index in keyof Statements]: RowOf<Statements[Index]>[];
};

export interface TripTransaction {
  /** As of any transaction; it is committed when the work is done, and rolled back if that throws. */
  tx: Transaction<DB>;
  /** Sends statements together, none of which needs the answer of another. Returns the rows of each. */
  send<const Statements extends readonly CompiledQuery[]>(...statements: Statements): Promise<RowsOf<Statements>>;
  /** Sends the last statements and `commit` together. Nothing may follow them. */
  commitWith<const Statements extends readonly CompiledQuery[]>(...statements: Statements): Promise<RowsOf<Statements>>;
}

const [BEGIN, COMMIT, ROLLBACK] = ['begin', 'commit', 'rollback'].map((text) => CompiledQuery.raw(text)) as [
  CompiledQuery,
  CompiledQuery<{ command: string }>,
  CompiledQuery,
];

/**
 * Every statement sees what was committed before it began, those sent together as well: one that takes a lock may be followed by one that reads
 * under it. `opening` must not write: it is sent before it is known that `begin` succeeded. Where PostgreSQL has lost a prepared statement, nothing
 * was committed, and all is done once more: `work` changes nothing but the database.
 */
export async function transactInTrips<const Opening extends readonly CompiledQuery[], Result>(
  db: Database,
  opening: Opening,
  work: (transaction: TripTransaction, opened: RowsOf<Opening>) => Promise<Result>,
): Promise<Result> {
  const progress: Progress = { isCommitted: false };
  const transact = () => db.connection().execute((connection) => transactOnce(connection, opening, work, progress));
  return repeatIfPlansAreLost(transact, () => !progress.isCommitted);
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
  // Until it is sent its commit.
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
    // Kysely's own transactions are connections, too, on which `begin` was sent.
    const tx = connection as Transaction<DB>;
    const result = await work({ tx, send, commitWith }, opened as unknown as RowsOf<Opening>);
    if (isOpen) await commitWith();
    return result;
  } catch (error) {
    // A connection on which this fails too is not used again: see database.ts.
    if (isOpen) await connection.executeQuery(ROLLBACK).catch(() => undefined);
    throw error;
  }
}

/** PostgreSQL answers a commit with a rollback where a statement before it failed. */
function requireCommit([ended]: { command: string }[]): void {
  if (ended?.command !== 'COMMIT') throw new AbortedTransactionError();
}

/** Sends statements together on one connection, outside of a transaction. They only read: where PostgreSQL has lost one, all are sent again. */
export async function runTogether<const Statements extends readonly CompiledQuery[]>(
  db: Database,
  ...statements: Statements
): Promise<RowsOf<Statements>> {
  return repeatIfPlansAreLost(() => sendTogether(db, statements));
}

/** Straight to the connection: Kysely would send one after the other. An error of one is thrown as it is; those behind it fail after it. */
async function sendTogether<const Statements extends readonly CompiledQuery[]>(
  db: Kysely<DB>,
  statements: Statements,
): Promise<RowsOf<Statements>> {
  const executor = db.getExecutor();
  const written = statements.map(writeObjects);
  const rows = await executor.provideConnection(async (connection) => {
    const sent = written.map(async (statement) => {
      let result = (await connection.executeQuery(statement)) as QueryResult<UnknownRow>;
      for (const plugin of executor.plugins) {
        result = await plugin.transformResult({ result, queryId: statement.queryId });
      }
      return result.rows;
    });
    // All are answered before the connection is used for anything else.
    await Promise.allSettled(sent);
    return Promise.all(sent);
  });
  return rows as unknown as RowsOf<Statements>;
}

/** An object that cannot be written fails here: `pg` would leave its statement out, and send the `commit` behind it. */
function writeObjects(statement: CompiledQuery): CompiledQuery {
  return { ...statement, parameters: statement.parameters.map(writeObject) };
}

function writeObject(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(writeObject);
  const isObject = typeof value === 'object' && value !== null;
  return isObject && !(value instanceof Date) && !ArrayBuffer.isView(value) ? JSON.stringify(value) : value;
}
