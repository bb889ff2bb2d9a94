/** The language that the document names. Frozen once released; imports no application code. */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  'alter table articles add column language text',
  `comment on column articles.language is 'As the document names it, a tag of BCP 47; what is read from the text itself is in derived'`,
];
