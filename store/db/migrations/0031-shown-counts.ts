/** How many people follow an author, and react to an article, is announced whenever it changes: by suspensions too. Frozen once released; imports no application code. */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  // A subject of its own: only one page shows it, and an author may have many lists.
  `create function follower_changed() returns trigger language plpgsql as $$
  begin
    perform announce_change(array['followers:' || coalesce(new.author_id, old.author_id)]);
    return null;
  end $$`,
  'create trigger follower_changed after insert or delete on followers for each row execute function follower_changed()',

  // What a suspended person gave counts again once they take part again.
  `create function part_taken_changed() returns trigger language plpgsql as $$
  declare
    subjects text[] := array(
      select distinct 'article:' || article_id from reactions where user_id = new.id
      union select 'followers:' || author_id from followers where follower_id = new.id limit 200);
  begin
    if cardinality(subjects) > 150 then perform announce_change(array['everything']);
    elsif cardinality(subjects) > 0 then perform announce_change(subjects);
    end if;
    return null;
  end $$`,
  `create trigger part_taken_changed after update on users for each row
    when ((old.suspended_at is null) <> (new.suspended_at is null)) execute function part_taken_changed()`,
  ...['followers', 'reactions'].map(
    (table) =>
      `create trigger truncated after truncate on ${table} for each statement execute function forget_everything()`,
  ),
];
