/**
 * The first tables: people, what they write, where it goes, and what became of it. Frozen once released; imports no application code.
 *
 * `rate_counters` is UNLOGGED on purpose: losing a minute's counts in a crash harms nobody, and a publish then pays
 * for one durable commit instead of two.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table users (
    id uuid primary key default gen_random_uuid(),
    username text not null check (username ~ '^[a-z0-9][a-z0-9_-]{0,38}$'),
    name text not null,
    email text not null,
    password_hash text not null,
    trusted boolean not null default false,
    suspended_at timestamptz,
    created_at timestamptz not null default now()
  )`,
  'create unique index users_username_key on users (username)',
  'create unique index users_email_key on users (lower(email))',

  `create table developer_tokens (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references users on delete cascade,
    name text not null,
    token_hash bytea not null unique,
    last_four text not null,
    expires_at timestamptz,
    last_used_at timestamptz,
    revoked_at timestamptz,
    created_at timestamptz not null default now()
  )`,
  'create index developer_tokens_user_id_idx on developer_tokens (user_id)',

  `create table connections (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references users on delete cascade,
    destination text not null,
    platform text not null,
    base_url text not null,
    credentials_sealed bytea not null,
    account text,
    status text not null default 'active' check (status in ('active', 'unauthorised')),
    status_reason text,
    generation integer not null default 1,
    arrival_at timestamptz not null default now(),
    blocked_until timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    unique (user_id, destination)
  )`,
  `comment on column connections.generation is 'Counts the credentials: a refusal of the former ones says nothing of the present'`,
  `comment on column connections.arrival_at is 'GCRA: the theoretical arrival time of the next write over this account'`,

  `create table articles (
    id uuid primary key default gen_random_uuid(),
    author_id uuid not null references users on delete cascade,
    external_id text,
    slug text not null unique,
    given_slug text,
    title text not null,
    title_key text not null,
    subtitle text,
    excerpt text,
    tags text[] not null default '{}',
    given_canonical_url text,
    canonical_key text not null,
    base_url text,
    category text,
    cover_image text,
    generate_toc boolean not null default false,
    comments_enabled boolean not null default true,
    cross_post jsonb not null,
    series_id text,
    status text not null check (status in ('DRAFT', 'PUBLISHED', 'SCHEDULED')),
    scheduled_at timestamptz,
    syndicate boolean not null default true,
    imported boolean not null default false,
    source text not null,
    body text not null,
    derived jsonb not null,
    fingerprint bytea not null,
    content_hash text not null,
    revision integer not null default 1,
    dispatch integer not null default 1,
    published_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    check (status <> 'SCHEDULED' or scheduled_at is not null),
    check (status <> 'PUBLISHED' or published_at is not null)
  )`,
  `comment on column articles.dispatch is 'Counts accepted publish requests; tells a repeated signal from a new wish'`,
  'create unique index articles_external_id_key on articles (author_id, external_id) where external_id is not null',
  'create index articles_author_given_slug_idx on articles (author_id, given_slug) where given_slug is not null',
  'create index articles_author_title_idx on articles (author_id, title_key)',
  'create index articles_canonical_key_idx on articles (canonical_key, created_at)',
  `create index articles_published_idx on articles (published_at desc) where status = 'PUBLISHED'`,
  `create index articles_scheduled_idx on articles (scheduled_at) where status = 'SCHEDULED'`,

  `create table slug_redirects (
    slug text primary key,
    article_id uuid not null references articles on delete cascade,
    created_at timestamptz not null default now()
  )`,
  'create index slug_redirects_article_id_idx on slug_redirects (article_id)',

  // A redirect is a promise. Looked at after the row is in place, when whoever held the slug before has committed.
  `create function keep_redirects() returns trigger language plpgsql as $$
  begin
    if exists (select 1 from slug_redirects where slug = new.slug and article_id <> new.id) then
      raise exception 'the slug is another article''s former address' using errcode = '23505', constraint = 'articles_slug_key';
    end if;
    return null;
  end $$`,
  `create trigger keep_redirects after insert or update of slug on articles
    for each row execute function keep_redirects()`,

  `create table deliveries (
    id uuid primary key default gen_random_uuid(),
    article_id uuid not null references articles on delete cascade,
    destination text not null,
    connection_id uuid references connections on delete set null,
    state text not null default 'pending'
      check (state in ('pending', 'delivering', 'delivered', 'stale', 'failed', 'unknown', 'held')),
    remote_id text,
    remote_url text,
    delivered_hash text,
    delivered_revision integer,
    withdrawn_at timestamptz,
    handled_dispatch integer not null default 0,
    attempts integer not null default 0,
    in_flight_action text check (in_flight_action in ('create', 'update', 'withdraw')),
    in_flight_at timestamptz,
    in_flight_hash text,
    in_flight_revision integer,
    in_flight_look_up jsonb,
    last_error_code text,
    last_error text,
    next_attempt_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    unique (article_id, destination)
  )`,
  'create index deliveries_connection_id_idx on deliveries (connection_id)',

  `create table outbox (
    id bigint generated always as identity primary key,
    article_id uuid not null references articles on delete cascade,
    attempts integer not null default 0,
    leased_until timestamptz,
    last_error text,
    created_at timestamptz not null default now()
  )`,

  `create table notification_counters (
    user_id uuid primary key references users on delete cascade,
    last_number bigint not null
  )`,
  `create table notifications (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references users on delete cascade,
    number bigint not null,
    type text not null,
    payload jsonb not null,
    dedupe_key text not null unique,
    created_at timestamptz not null default now(),
    unique (user_id, number)
  )`,

  `create table idempotency_keys (
    user_id uuid not null references users on delete cascade,
    key text not null,
    request_hash bytea not null,
    response jsonb,
    locked_until timestamptz not null,
    created_at timestamptz not null default now(),
    primary key (user_id, key)
  )`,
  'create index idempotency_keys_created_at_idx on idempotency_keys (created_at)',

  `create unlogged table rate_counters (
    bucket text primary key,
    count integer not null,
    resets_at timestamptz not null
  )`,
];
