/** The words by which articles are found, made after their publish. Frozen once released; imports no application code. */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  // Made within the statement of a publish, which waited 2 ms for every 7 KB.
  'alter table articles drop column words',
  'drop function article_words(text, text, text[], text)',

  // A table of its own: a search that finds half of the site reads small rows, and not articles.
  `create table search_entries (
    article_id uuid primary key references articles on delete cascade,
    author_id uuid not null,
    rules text not null,
    published_at timestamptz,
    words tsvector not null
  )`,
  // Out of the row, as far as PostgreSQL does that, and not compressed: ranking reads them.
  'alter table search_entries alter column words set storage external, set (toast_tuple_target = 128)',
  `comment on column search_entries.rules is 'The text search configuration of the words'`,
  `comment on column search_entries.published_at is 'Of the article while it is public and may be searched, else null'`,
  `comment on column search_entries.words is 'Stems with place and weight, words without their marks, and keys, which have a slash: tag/rust'`,
  'create index search_entries_words_idx on search_entries using gin (words) where published_at is not null',
  'create index search_entries_rules_idx on search_entries (rules)',

  // They are few, and every search leaves them out before it looks at the newest: else what one of them wrote would take all the room.
  `create index users_unsearched_idx on users (id) where suspended_at is not null or content_signal ~ 'search=no'`,

  `create function search_time(article articles) returns timestamptz language sql immutable as $$
    select case when article.status = 'PUBLISHED' and coalesce(article.content_signal, '') !~ 'search=no' then article.published_at end
  $$`,
  // An article becomes public or is taken back without being derived again.
  `create function follow_article() returns trigger language plpgsql set enable_seqscan = off as $$
  begin
    if new.deleted_at is not null then
      delete from search_entries where article_id = new.id;
    else
      update search_entries set published_at = search_time(new) where article_id = new.id;
    end if;
    return null;
  end $$`,
  `create trigger follow_article after update of status, published_at, content_signal, deleted_at on articles for each row
    when ((old.status, old.published_at, old.content_signal, old.deleted_at)
      is distinct from (new.status, new.published_at, new.content_signal, new.deleted_at))
    execute function follow_article()`,
];
