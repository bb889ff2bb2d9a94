/**
 * Statements that PostgreSQL keeps prepared, once on each connection: what every publish waits for is parsed and planned once instead of each
 * time, which takes as long as running it. Such a statement begins with its name in a comment, and its text is always the same. Only hot ones
 * are prepared: a plan for all values cannot use an index that is for some of them.
 */
import type { CompiledQuery, Kysely } from 'kysely';
import pg from 'pg';
import type { DB } from './types.ts';

const OPENING = '/* prepared as ';
/** Part of every name: what one connection finds to be lost is lost on the others too. */
let generation = 1;

/** For a statement that Kysely has compiled. */
export function prepare<Row>(name: string, compiled: CompiledQuery<Row>): CompiledQuery<Row> {
  return { ...compiled, sql: `${OPENING}${name} */ ${compiled.sql}` };
}

/** The same outside of a transaction, for a statement that is sent by itself. */
export async function runPrepared<Row>(db: Kysely<DB>, name: string, compiled: CompiledQuery<Row>) {
  const statement = prepare(name, compiled);
  try {
    return await db.executeQuery(statement);
  } catch (error) {
    if (!renewLostPlans(error)) throw error;
    return db.executeQuery(statement);
  }
}

/**
 * Whether the error says that PostgreSQL has no such statement any more, or that a migration has changed a type in its result. Nothing was done
 * then, and from now on statements are prepared anew: without that, each would fail on its connection until that is closed.
 */
export function renewLostPlans(error: unknown): boolean {
  const { code, routine } = error as { code?: string; routine?: string };
  const isLost = code === '26000' || (code === '0A000' && routine === 'RevalidateCachedQuery');
  if (isLost) generation += 1;
  return isLost;
}

/** Knows such statements by their comment, since Kysely passes on no names. */
export class PreparingClient extends pg.Client {
  override query(...args: never[]): never {
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
