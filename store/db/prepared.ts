/**
 * Statements that PostgreSQL keeps prepared, once on each connection: what every publish or delivery waits for is parsed and planned once instead
 * of each time, which takes as long as running it. Such a statement begins with its name in a comment, and its text is always the same. Only hot
 * ones are prepared: a plan for all values cannot use an index that is for some of them.
 */
import type { Writable } from 'node:stream';
import type { CompiledQuery, Kysely } from 'kysely';
import pg from 'pg';
import type { DB } from './types.ts';

const OPENING = '/* prepared as ';
/** Part of every name: what one connection finds to be lost is lost on the others too. */
let generation = 1;

/** As `compileOnce`, and prepared on each connection. For `runPrepared`, `runTogether` and `transactInTrips`, which try again where it is lost. */
export function prepareOnce<Input extends object, Row>(
  name: string,
  build: (db: Kysely<DB>, input: Input) => CompiledQuery<Row>,
): (db: Kysely<DB>, input: Input) => CompiledQuery<Row> {
  return compileOnce((db, input) => prepare(name, build(db, input)));
}

/**
 * A statement that is built and compiled once in this process, not at each use, which takes Kysely longer than sending it. `build` gets stand-ins
 * in place of the input: it may hand them on as values, and not look at them. Every input has the same fields.
 */
export function compileOnce<Input extends object, Row>(
  build: (db: Kysely<DB>, input: Input) => CompiledQuery<Row>,
): (db: Kysely<DB>, input: Input) => CompiledQuery<Row> {
  let compiled: CompiledQuery<Row> | undefined;
  return (db, input) => {
    compiled ??= build(db, createStandIns(input));
    const parameters = compiled.parameters.map((one) =>
      one instanceof StandIn ? input[one.field as keyof Input] : one,
    );
    return { ...compiled, parameters };
  };
}

/** For a statement that Kysely has compiled. */
export function prepare<Row>(name: string, compiled: CompiledQuery<Row>): CompiledQuery<Row> {
  return { ...compiled, sql: `${OPENING}${name} */ ${compiled.sql}` };
}

class StandIn {
  readonly field: string;

  constructor(field: string) {
    this.field = field;
  }
}

function createStandIns<Input extends object>(input: Input): Input {
  return Object.fromEntries(Object.keys(input).map((field) => [field, new StandIn(field)])) as Input;
}

/** What a row of a statement holds. */
export type RowOf<Statement> = Statement extends CompiledQuery<infer Row> ? Row : never;

/** Runs a prepared statement outside of a transaction, by itself. */
export function runPrepared<Row>(db: Kysely<DB>, statement: CompiledQuery<Row>) {
  return repeatIfPlansAreLost(() => db.executeQuery(statement));
}

/** Once: what is prepared anew is not lost as well. `mayRepeat` is asked after the failure. */
export async function repeatIfPlansAreLost<T>(run: () => Promise<T>, mayRepeat = () => true): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!renewLostPlans(error) || !mayRepeat()) throw error;
    return run();
  }
}

/**
 * Whether the error says that PostgreSQL has no such statement any more, or that a migration has changed a type in its result. Nothing was done
 * then, and from now on statements are prepared anew: without that, each would fail on its connection until that is closed.
 */
function renewLostPlans(error: unknown): boolean {
  const { code, routine } = error as { code?: string; routine?: string };
  const isLost = code === '26000' || (code === '0A000' && routine === 'RevalidateCachedQuery');
  if (isLost) generation += 1;
  return isLost;
}

/**
 * Knows such statements by their comment, since Kysely passes on no names. Statements that are sent in one turn of the event loop go out in one
 * write: each would wake PostgreSQL by itself, which answers one before it has read the next.
 */
export class PreparingClient extends pg.Client {
  override query(...args: never[]): never {
    const { stream } = (this as unknown as { connection: { stream: Writable } }).connection;
    stream.cork();
    process.nextTick(() => stream.uncork());
    const [text, values, ...rest]: unknown[] = args;
    const name = readName(text);
    const query = super.query as (...args: unknown[]) => never;
    return name === null
      ? query.apply(this, args)
      : query.call(this, { name: `${name} ${generation}`, text, values }, ...rest);
  }
}

function readName(text: unknown): string | null {
  if (typeof text !== 'string' || !text.startsWith(OPENING)) return null;
  return text.slice(OPENING.length, text.indexOf(' */'));
}
