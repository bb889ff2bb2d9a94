/** Adds the file that a document comes from. Frozen once released; imports no application code. */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  // Not indexed: only compared among articles of one title, found by articles_author_title_idx.
  `alter table articles add column source_repository text, add column source_path text,
    add constraint articles_source_check check (source_repository is null or source_path is not null)`,
  `comment on column articles.source_repository is 'Normalised URL of the Git remote, or a random id; null where neither is known'`,
  `comment on column articles.source_path is 'Path of the file in its repository; null where the source is unknown'`,
];
