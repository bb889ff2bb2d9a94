/**
 * What people say of themselves, the series of their articles, a search over what they wrote, and what an account that was deleted leaves
 * behind. Frozen once released; imports no application code.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `alter table users
    add column bio text,
    add column links text[] not null default '{}',
    add column picture_url text,
    add column deleted_at timestamptz`,
  `comment on column users.deleted_at is 'The row stays without its person: the user name is not given to another one, and articles answer 410'`,
  // As a suspension does, it ends the streams at every instance of the API.
  `create trigger users_deleted after update of deleted_at on users for each row
    when (old.deleted_at is null and new.deleted_at is not null) execute function notify_suspension()`,

  `create table series (
    id uuid primary key default gen_random_uuid(),
    author_id uuid not null references users on delete cascade,
    title text not null,
    title_key text not null,
    created_at timestamptz not null,
    unique (author_id, title_key)
  )`,
  `comment on column series.title_key is 'The title with case and white space folded'`,
  `alter table articles
    add column part_of uuid references series on delete set null,
    add column part_position integer`,
  `comment on column articles.series_id is 'As the document gave it: an id or a title, of a series that may not exist'`,
  `comment on column articles.part_of is 'The series that it is part of, whoever put it there: its document or a command'`,
  'create index articles_part_of_idx on articles (part_of, part_position) where part_of is not null',

  // Whoever took the line out of the document meant it; a document that never had it leaves the series to commands.
  `create function leave_series() returns trigger language plpgsql as $$
  begin
    new.part_of := null;
    new.part_position := null;
    return new;
  end $$`,
  `create trigger leave_series before update of series_id on articles for each row
    when (old.series_id is not null and new.series_id is null) execute function leave_series()`,

  // Punctuation is taken out first: PostgreSQL would keep node.js and v1.2 as a host and a version, which nobody finds by js. The body is cut:
  // a vector has at most 1 MiB, and a publish waits until it is made. array_to_string is not said to be immutable for types whose output depends on settings; text has none.
  `create function article_words(title text, subtitle text, tags text[], body text) returns tsvector
    language sql immutable parallel safe as $$
    select to_tsvector('simple', translate(concat_ws(' ', title, subtitle, array_to_string(tags, ' '), left(body, 20000)),
      './:@_-+#~&=?%<>|', '                '))
  $$`,
  `alter table articles add column words tsvector generated always as (article_words(title, subtitle, tags, body)) stored`,
  `comment on column articles.words is 'For searching one''s own articles, which are few enough to be looked through without an index'`,
];
