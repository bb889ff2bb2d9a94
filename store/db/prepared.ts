/**
 * Prepares hot statements once per connection: parsing and planning take as long as running them.
 * The text is constant and starts with the name in a comment. Other statements are not prepared,
 * since a generic plan cannot use a partial index.
 */
import type { Writable } from 'node:stream';
import type { CompiledQuery, Kysely } from 'kysely';
import pg from 'pg';
import type { DB } from './types.ts';

const OPENING = '/* prepared as ';
/** Part of every name. A statement lost on one connection is lost on all, so all names change. */
let planVersion = 1;

/**
 * Like `compileOnce`, and prepared on each connection. Run it with `runPrepared`, `runTogether` or
 * `transactInTrips`, which retry a lost statement.
 */
export function prepareOnce<Input extends object, Row>(
  name: string,
  build: (db: Kysely<DB>, input: Input) => CompiledQuery<Row>,
): (db: Kysely<DB>, input: Input) => CompiledQuery<Row> {
  return compileOnce((db, input) => prepare(name, build(db, input)));
}

/**
 * Compiles a statement once per process, because compiling takes Kysely longer than sending.
 * `build` gets placeholders for the input: it may pass them on as values only. Every input has the
 * same fields.
 */
export function compileOnce<Input extends object, Row>(
  build: (db: Kysely<DB>, input: Input) => CompiledQuery<Row>,
): (db: Kysely<DB>, input: Input) => CompiledQuery<Row> {
  let compiled: CompiledQuery<Row> | undefined;
  return (db, input) => {
    compiled ??= build(db, createPlaceholders(input));
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Placeholder ? input[parameter.field as keyof Input] : parameter,
    );
    return { ...compiled, parameters };
  };
}

/** Marks a compiled statement as prepared. */
export function prepare<Row>(name: string, compiled: CompiledQuery<Row>): CompiledQuery<Row> {
  return { ...compiled, sql: `${OPENING}${name} */ ${compiled.sql}` };
}

class Placeholder {
  readonly field: string;

  constructor(field: string) {
    this.field = field;
  }
}

function createPlaceholders<Input extends object>(input: Input): Input {
  return Object.fromEntries(Object.keys(input).map((field) => [field, new Placeholder(field)])) as Input;
}

export type RowOf<Statement> = Statement extends CompiledQuery<infer Row> ? Row : never;

/** Runs one prepared statement outside a transaction. */
export function runPrepared<Row>(db: Kysely<DB>, statement: CompiledQuery<Row>) {
  return retryLostPlans(() => db.executeQuery(statement));
}

/** Retries once: newly prepared statements are not lost. Calls `mayRepeat` after the failure. */
export async function retryLostPlans<T>(run: () => Promise<T>, mayRepeat = () => true): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!renewLostPlans(error) || !mayRepeat()) throw error;
    return run();
  }
}

/** Nothing was done then. New names follow: the old ones fail until their connection closes. */
function renewLostPlans(error: unknown): boolean {
  const { code, routine } = error as { code?: string; routine?: string };
  const isLost = code === '26000' || (code === '0A000' && routine === 'RevalidateCachedQuery');
  if (isLost) planVersion += 1;
  return isLost;
}

/**
 * Recognises prepared statements by their comment, since Kysely passes no names. Statements of one
 * event loop turn are sent in one write: separate writes would each wake PostgreSQL, which then
 * processes them one by one.
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
      : query.call(this, { name: `${name} ${planVersion}`, text, values }, ...rest);
  }
}

function readName(text: unknown): string | null {
  if (typeof text !== 'string' || !text.startsWith(OPENING)) return null;
  return text.slice(OPENING.length, text.indexOf(' */'));
}
