/** Restores from a backup: after one, no post is made before a look. Frozen once released; imports no application code. */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table restores (
      id integer generated always as identity primary key,
      started_at timestamptz not null default clock_timestamp(),
      finished_at timestamptz
    )`.execute(db);
  await sql`comment on table restores is 'Each time this database was restored from a backup; while one is not finished, nothing is sent'`.execute(
    db,
  );
  // At most one is under way.
  await sql`create unique index restores_unfinished_key on restores ((true)) where finished_at is null`.execute(db);
}
