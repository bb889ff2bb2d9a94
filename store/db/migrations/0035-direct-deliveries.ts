/** Deliveries of an article that has no hour to wait for are woken without its workflow. Frozen once released; imports no application code. */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  // A release that does not know the column writes entries for the workflow of the article, and reads all as such: right, and a step more.
  'alter table outbox add column wakes_article boolean not null default true',
  `comment on column outbox.wakes_article is 'False where the article waits for nothing: its deliveries are woken at once'`,
];
