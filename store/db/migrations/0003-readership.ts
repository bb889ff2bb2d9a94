/**
 * What readers do (readings by day, reactions, follows, subscriptions, comments), who wants a digest when and which were sent,
 * and the weekly roundups. Frozen once released; imports no application code.
 *
 * A trigger gives every account its digest settings, whichever way it is made: a weekly digest, Mondays at 08:00 UTC.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table article_days (
    article_id uuid not null references articles on delete cascade,
    day date not null,
    views integer not null default 0 check (views >= 0),
    reading_seconds bigint not null default 0 check (reading_seconds >= 0),
    primary key (article_id, day)
  )`,
  `comment on column article_days.day is 'In the zone of the author''s digest settings at the time of reading'`,

  `create table reactions (
    article_id uuid not null references articles on delete cascade,
    user_id uuid not null references users on delete cascade,
    kind text not null default 'like',
    created_at timestamptz not null default now(),
    primary key (article_id, user_id, kind)
  )`,
  'create index reactions_article_created_idx on reactions (article_id, created_at)',
  'create index reactions_user_id_idx on reactions (user_id)',

  `create table followers (
    author_id uuid not null references users on delete cascade,
    follower_id uuid not null references users on delete cascade,
    created_at timestamptz not null default now(),
    primary key (author_id, follower_id),
    check (author_id <> follower_id)
  )`,
  'create index followers_author_created_idx on followers (author_id, created_at)',
  'create index followers_follower_id_idx on followers (follower_id)',

  `create table newsletter_subscribers (
    id uuid primary key default gen_random_uuid(),
    author_id uuid not null references users on delete cascade,
    email text not null,
    user_id uuid references users on delete set null,
    confirmed_at timestamptz,
    unsubscribed_at timestamptz,
    created_at timestamptz not null default now()
  )`,
  'create unique index newsletter_subscribers_email_key on newsletter_subscribers (author_id, lower(email))',
  'create index newsletter_subscribers_confirmed_idx on newsletter_subscribers (author_id, confirmed_at)',
  'create index newsletter_subscribers_user_id_idx on newsletter_subscribers (user_id)',

  `create table comments (
    id uuid primary key default gen_random_uuid(),
    article_id uuid not null references articles on delete cascade,
    parent_id uuid references comments on delete cascade,
    user_id uuid references users on delete set null,
    body text not null,
    is_question boolean not null default false,
    accepted_at timestamptz,
    deleted_at timestamptz,
    created_at timestamptz not null default now(),
    check (parent_id <> id)
  )`,
  `comment on column comments.user_id is 'Null once the account is gone; what was said stays'`,
  `comment on column comments.accepted_at is 'When the article''s author marked it as the solution'`,
  'create index comments_article_created_idx on comments (article_id, created_at)',
  'create index comments_parent_id_idx on comments (parent_id)',
  'create index comments_user_id_idx on comments (user_id)',

  `create table digest_settings (
    user_id uuid primary key references users on delete cascade,
    frequency text not null default 'weekly' check (frequency in ('daily', 'weekly', 'monthly', 'off')),
    weekday smallint not null default 1 check (weekday between 1 and 7),
    hour smallint not null default 8 check (hour between 0 and 23),
    zone text not null default 'UTC',
    send_empty boolean not null default false,
    next_due_at timestamptz(3),
    stopped_at timestamptz,
    stopped_reason text,
    updated_at timestamptz not null default now(),
    check (next_due_at is null or (frequency <> 'off' and stopped_at is null))
  )`,
  `comment on column digest_settings.weekday is '1 is Monday; monthly means the first such day of the month'`,
  `comment on column digest_settings.stopped_at is 'The mail server refused the address for good; nothing is sent until its author changes the settings'`,
  // The hourly sweep reads from the front of this and stops at the first row that is not due.
  'create index digest_settings_due_idx on digest_settings (next_due_at, user_id) where next_due_at is not null',

  `create function first_digest_due(after timestamptz) returns timestamptz language sql stable as $$
    select (case when monday > after at time zone 'UTC' then monday else monday + interval '7 days' end) at time zone 'UTC'
    from (select date_trunc('week', after at time zone 'UTC') + interval '8 hours' as monday) as this_week
  $$`,
  `create function add_digest_settings() returns trigger language plpgsql as $$
  begin
    insert into digest_settings (user_id, next_due_at) values (new.id, first_digest_due(new.created_at));
    return null;
  end $$`,
  'create trigger add_digest_settings after insert on users for each row execute function add_digest_settings()',
  'insert into digest_settings (user_id, next_due_at) select id, first_digest_due(now()) from users',

  `create table digests (
    user_id uuid not null references users on delete cascade,
    date date not null,
    state text not null default 'pending'
      check (state in ('pending', 'sending', 'sent', 'skipped', 'refused', 'failed', 'unknown')),
    message_id text not null,
    attempts integer not null default 0,
    reason text,
    at timestamptz not null,
    primary key (user_id, date)
  )`,
  `comment on column digests.date is 'Of the moment it was due, in its author''s zone'`,
  `comment on column digests.state is 'sending is committed before the last byte of the mail goes out: what was lost in it may have arrived'`,
  `comment on column digests.attempts is 'Counts the times it was marked as sending'`,

  `create table roundups (
    week text primary key check (week ~ '^[0-9]{4}-W[0-9]{2}$'),
    state text not null check (state in ('published', 'empty')),
    at timestamptz not null
  )`,
  `create table roundup_entries (
    week text not null references roundups on delete cascade,
    position smallint not null,
    article_id uuid not null unique references articles on delete cascade,
    score integer not null,
    views integer not null,
    reactions integer not null,
    commenters integer not null,
    primary key (week, position)
  )`,
];
