/** What else an article's page shows is announced when it changes: its copies elsewhere, and how many people reacted. Frozen once released; imports no application code. */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  // An attempt writes its delivery several times: only what readers see of it is news.
  `create trigger copy_changed after update on deliveries for each row
    when ((old.remote_url, old.remote_id, old.withdrawn_at) is distinct from (new.remote_url, new.remote_id, new.withdrawn_at))
    execute function part_of_article_changed()`,
  `create trigger copy_made after insert on deliveries for each row when (new.remote_url is not null)
    execute function part_of_article_changed()`,
  'create trigger reaction_changed after insert or delete on reactions for each row execute function part_of_article_changed()',
];
