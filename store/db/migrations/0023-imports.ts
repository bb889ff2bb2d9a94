/**
 * Imports: what authors ordered, what the source listed, and what became of each post; and where an article came from, so that no second run
 * makes it again. Frozen once released; imports no application code.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table imports (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references users on delete cascade,
    source text not null check (source in ('blogsite_a', 'blogsite_b', 'blogsite_c', 'rss')),
    identifier text not null,
    place jsonb not null,
    most_items integer check (most_items > 0),
    since timestamptz,
    as_draft boolean not null,
    dry_run boolean not null,
    images text not null check (images in ('keep', 'copy')),
    state text not null default 'running' check (state in ('running', 'done', 'failed', 'cancelled')),
    cursor jsonb,
    listed_items integer not null default 0,
    listed_bytes bigint not null default 0,
    notices jsonb not null default '[]',
    reason text,
    waits_until timestamptz,
    created_at timestamptz not null,
    ended_at timestamptz,
    check ((state = 'running') = (ended_at is null))
  )`,
  `comment on column imports.place is 'The identifier as it was read when the import was ordered: what is connected later does not change it'`,
  `comment on column imports.cursor is 'Where the source is listed next; null where it is listed to its end'`,
  `comment on column imports.waits_until is 'The source asked for a pause, or is away; null while it is being read'`,
  'create index imports_user_id_idx on imports (user_id, created_at)',
  // One at a time, whatever two requests at once ask for.
  `create unique index imports_running_key on imports (user_id) where state = 'running'`,

  `create table import_items (
    import_id uuid not null references imports on delete cascade,
    number integer not null,
    remote_id text not null,
    url text,
    title text not null,
    published_at timestamptz,
    account text,
    post jsonb,
    has_body boolean not null,
    attempts integer not null default 0,
    outcome text check (outcome in ('created', 'present', 'refused')),
    code text,
    reason text,
    warnings jsonb not null default '[]',
    article_id uuid references articles on delete set null,
    adopted boolean not null default false,
    ended_at timestamptz,
    primary key (import_id, number),
    unique (import_id, remote_id),
    check ((outcome is null) = (ended_at is null))
  )`,
  `comment on column import_items.number is 'In the order in which the source lists them, from 1: the newest first'`,
  `comment on column import_items.account is 'At whose account the post stands, as a probe of a connection says it; null where the source does not tell'`,
  `comment on column import_items.post is 'As the source listed it; gone once its outcome is known'`,
  `create index import_items_open_idx on import_items (import_id, number) where outcome is null`,
  'create index import_items_article_id_idx on import_items (article_id) where article_id is not null',

  `create table article_origins (
    author_id uuid not null references users on delete cascade,
    source text not null,
    origin text not null,
    remote_id text not null,
    article_id uuid not null references articles on delete cascade,
    created_at timestamptz not null,
    primary key (author_id, source, origin, remote_id)
  )`,
  `comment on table article_origins is 'Posts elsewhere that are articles here, deleted ones too: a further import leaves them alone'`,
  `comment on column article_origins.origin is 'Within it the ids of a source are one numbering: a site, a feed'`,
  'create index article_origins_article_id_idx on article_origins (article_id)',

  'alter table outbox add column import_id uuid references imports on delete cascade',
  'alter table outbox drop constraint outbox_check',
  'alter table outbox add constraint outbox_check check (num_nonnulls(article_id, mail_id, import_id) = 1)',
  'create index outbox_import_id_idx on outbox (import_id) where import_id is not null',
];
