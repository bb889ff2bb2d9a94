/**
 * Statements that PostgreSQL keeps prepared, once on each connection: what every publish waits for is parsed and planned once instead of each
 * time, which takes as long as running it. Such a statement begins with its name in a comment, and its text is always the same. Only hot ones
 * are prepared: a plan for all values cannot use an index that is for some of them.
 */
import type { CompiledQuery } from 'kysely';
import pg from 'pg';

const OPENING = '/* prepared as ';

/** For a statement that Kysely has compiled. */
export function prepare<Row>(name: string, compiled: CompiledQuery<Row>): CompiledQuery<Row> {
  return { ...compiled, sql: `${OPENING}${name} */ ${compiled.sql}` };
}

/** Knows such statements by their comment, since Kysely passes on no names. */
export class PreparingClient extends pg.Client {
  override query(...args: never[]): never {
    const [text, values, ...rest]: unknown[] = args;
    const name = readName(text);
    const query = super.query as (...args: unknown[]) => never;
    return name === null ? query.apply(this, args) : query.call(this, { name, text, values }, ...rest);
  }
}

function readName(text: unknown): string | null {
  if (typeof text !== 'string' || !text.startsWith(OPENING)) return null;
  return text.slice(OPENING.length, text.indexOf(' */'));
}
