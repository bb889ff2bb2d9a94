/**
 * The schema of the first release, by subject. Frozen once released; imports no application code.
 * `delivery_states` derives the state of each delivery. Triggers announce changes, so that no
 * statement can omit it.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const subject of SUBJECTS) await sql.raw(subject).execute(db);
}

const PEOPLE = `
create table users (
  id uuid primary key default gen_random_uuid(),
  username text not null check (username ~ '^[a-z0-9][a-z0-9_-]{0,38}$'),
  name text not null,
  email text not null,
  email_confirmed_at timestamptz, -- When its owner proved to receive mail there; null until then
  password_hash text not null,
  trusted boolean not null default false,
  bio text,
  links text[] not null default '{}',
  picture_url text,
  content_signal text, -- What agents may do with the author's texts, in the syntax of Content-Signal
  stored_bytes bigint not null default 0, -- Sum of octet_length(articles.source), written under the lock on this row
  shown_at timestamptz, -- When a column that readers see last changed; null if none did
  suspended_at timestamptz,
  deleted_at timestamptz, -- The row stays without personal data: the user name is not reused, and articles answer 410
  created_at timestamptz not null default now()
);
-- Foreign keys lock a row against changes of columns with a full unique index. With a partial index,
-- a user name can change while somebody follows the author (PostgreSQL manual, FOR UPDATE).
create unique index users_username_key on users (username) where username is not null;
create unique index users_email_key on users (lower(email));
create index users_suspended_idx on users (id) where suspended_at is not null;
-- Every search excludes these authors before it looks at the newest articles.
create index users_unsearched_idx on users (id) where suspended_at is not null or content_signal ~ 'search=no';
create index users_unconfirmed_idx on users (created_at) where email_confirmed_at is null and deleted_at is null;

-- Folds characters that look alike: 0 and o; 1, i and l; - and _; rn and m (the ASCII part of Unicode TR 39).
create function username_look(username text) returns text language sql immutable strict parallel safe
  return replace(translate(lower(username), '01i_', 'oll-'), 'rn', 'm');
create index users_username_look_idx on users (username_look(username));

create function is_suspended(person uuid) returns boolean language sql stable as $$
  select exists (select from users where id = person and suspended_at is not null)
$$;

-- Every instance of the API ends the streams of a suspended or deleted user.
create function notify_suspension() returns trigger language plpgsql as $$
begin
  perform pg_notify('courant_suspensions', new.id::text);
  return null;
end $$;
create trigger users_suspended after update of suspended_at on users for each row
  when (old.suspended_at is null and new.suspended_at is not null) execute function notify_suspension();
create trigger users_deleted after update of deleted_at on users for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function notify_suspension();

create table sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  user_agent text,
  network bytea, -- Keyed hash of the account and the network that signed in; null in sessions that no sign-in opened
  created_at timestamptz not null,
  last_used_at timestamptz not null, -- The time of the last refresh, so exact to the hour
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index sessions_user_id_idx on sessions (user_id);
create index sessions_over_idx on sessions (least(ended_at, expires_at));

create function notify_session_end() returns trigger language plpgsql as $$
begin
  perform pg_notify('courant_sessions', json_build_object('userId', old.user_id, 'sessionId', old.id)::text);
  return null;
end $$;
create trigger sessions_ended after update of ended_at on sessions for each row
  when (old.ended_at is null and new.ended_at is not null) execute function notify_session_end();
create trigger sessions_deleted after delete on sessions for each row
  when (old.ended_at is null) execute function notify_session_end();

-- One after the other in each session; the last one is not replaced.
create table refresh_tokens (
  token_hash bytea primary key,
  session_id uuid not null references sessions on delete cascade,
  issued_at timestamptz not null,
  replaced_at timestamptz
);
create index refresh_tokens_session_id_idx on refresh_tokens (session_id);
create index refresh_tokens_replaced_at_idx on refresh_tokens (replaced_at) where replaced_at is not null;

create table developer_tokens (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  name text not null,
  token_hash bytea not null unique,
  last_four text not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now()
);
create index developer_tokens_user_id_idx on developer_tokens (user_id);

create table operator_actions (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  operator text not null, -- User and host of the machine on which the command ran
  action text not null,
  user_id uuid references users on delete set null,
  username text not null
);
create index operator_actions_user_id_idx on operator_actions (user_id);

create table followers (
  author_id uuid not null references users on delete cascade,
  follower_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  primary key (author_id, follower_id),
  check (author_id <> follower_id)
);
create index followers_author_created_idx on followers (author_id, created_at);
create index followers_follower_id_idx on followers (follower_id);

create table newsletter_subscribers (
  id uuid primary key default gen_random_uuid(),
  author_id uuid not null references users on delete cascade,
  email text not null,
  user_id uuid references users on delete set null,
  confirmed_at timestamptz,
  unsubscribed_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index newsletter_subscribers_email_key on newsletter_subscribers (author_id, lower(email));
create index newsletter_subscribers_confirmed_idx on newsletter_subscribers (author_id, confirmed_at);
create index newsletter_subscribers_unconfirmed_idx on newsletter_subscribers (created_at) where confirmed_at is null;
create index newsletter_subscribers_user_id_idx on newsletter_subscribers (user_id);
`;

const ARTICLES = `
create table series (
  id uuid primary key default gen_random_uuid(),
  author_id uuid not null references users on delete cascade,
  title text not null,
  title_key text not null, -- The title with case and white space folded
  created_at timestamptz not null,
  unique (author_id, title_key)
);

create table articles (
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
  -- PUBLISHED, and the author's oldest article with its canonical URL. Maintained by triggers, whatever
  -- the author's suspension.
  is_canonical boolean not null default false,
  base_url text,
  category text,
  cover_image text,
  language text, -- A tag of BCP 47 from the document; the language derived from the text is in derived
  content_signal text,
  generate_toc boolean not null default false,
  comments_enabled boolean not null default true,
  comments_locked_at timestamptz, -- Since then its author accepts no more comments; earlier ones stay
  cross_post jsonb not null,
  series_id text, -- As in the document: an id or a title, of a series that may not exist
  part_of uuid references series on delete set null, -- The series that the document or a command put it into
  part_position integer,
  status text not null check (status in ('DRAFT', 'PUBLISHED', 'SCHEDULED')),
  syndicate boolean not null default true,
  imported boolean not null default false,

  source text not null,
  source_repository text, -- Normalised URL of the Git remote, or a random id; null if neither is known
  source_path text, -- Path of the file in its repository; null if unknown
  body text not null,
  -- Stored, because delivery_states would decompress each body to test it.
  has_body boolean not null generated always as (body ~ '\\S') stored,
  derived jsonb not null,
  -- 0: only what the response to the publish needed; else the renderer's version, with colours and description.
  derived_version integer not null default 0,
  derived_at timestamptz, -- When derived was last written after a publish; null until then
  -- Catalogues read these two of 500 articles at once, without the large derived.
  abstract text generated always as (derived ->> 'excerpt') stored,
  topic_signals jsonb generated always as (derived -> 'topicSignals') stored,
  fingerprint bytea not null,
  content_hash text not null,
  revision integer not null default 1,
  -- Counts accepted publish requests. A new one resets the failures of its deliveries.
  dispatch integer not null default 1,
  dispatched_at timestamptz not null default now(),

  scheduled_at timestamptz,
  scheduled_zone text, -- The zone or offset in which the author wrote the time
  scheduled_local text, -- The local time in a named zone, from which scheduled_at follows
  scheduled_rules text, -- The version of the time zone database that scheduled_at was calculated with
  -- The destinations when it was scheduled; its author is notified if they differ at publication.
  scheduled_destinations text[] not null default '{}',
  reminded_for timestamptz,
  fired_at timestamptz, -- When its schedule last made it public

  published_at timestamptz,
  sitemap_place integer, -- Assigned at its first publication, and never changed
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  check (status <> 'SCHEDULED' or scheduled_at is not null),
  check (status <> 'PUBLISHED' or published_at is not null),
  constraint articles_source_check check (source_repository is null or source_path is not null)
);
create unique index articles_external_id_key on articles (author_id, external_id) where external_id is not null;
create index articles_author_given_slug_idx on articles (author_id, given_slug) where given_slug is not null;
create index articles_author_title_idx on articles (author_id, title_key);
create index articles_author_created_idx on articles (author_id, created_at desc, id desc) where deleted_at is null;
create index articles_canonical_idx on articles (canonical_key, author_id, created_at, id);
create index articles_published_idx on articles (published_at desc) where status = 'PUBLISHED';
-- No condition on status: with one, the planner scans the index of all published articles.
create index articles_author_published_idx on articles (author_id, published_at desc, id desc) where is_canonical;
create index articles_series_published_idx on articles (part_of, published_at desc, id desc)
  where is_canonical and part_of is not null;
create index articles_part_of_idx on articles (part_of, part_position) where part_of is not null;
create index articles_scheduled_idx on articles (scheduled_at) where status = 'SCHEDULED';
create index articles_scheduled_rules_idx on articles (scheduled_rules)
  where status = 'SCHEDULED' and scheduled_zone is not null;
create index articles_fired_at_idx on articles (fired_at) where fired_at is not null;
create index articles_dispatched_at_idx on articles (dispatched_at);
create index articles_derived_version_idx on articles (derived_version) where status <> 'DRAFT';
create index articles_sitemap_idx on articles ((sitemap_place / 10000), updated_at desc) where status = 'PUBLISHED';

-- Every address under which an article was public before. It leads to the article, and answers 410
-- while that is not public.
create table slug_redirects (
  slug text primary key,
  article_id uuid not null references articles on delete cascade,
  created_at timestamptz not null default now()
);
create index slug_redirects_article_id_idx on slug_redirects (article_id);
-- After the row is written, because the holder of the slug has committed by then.
create function keep_redirects() returns trigger language plpgsql as $$
begin
  if exists (select 1 from slug_redirects where slug = new.slug and article_id <> new.id) then
    raise exception 'the slug is another article''s former address' using errcode = '23505', constraint = 'articles_slug_key';
  end if;
  return null;
end $$;
create trigger keep_redirects after insert or update of slug on articles
  for each row execute function keep_redirects();

-- A document that drops its series leaves it; a document that never named one does not.
create function leave_series() returns trigger language plpgsql as $$
begin
  new.part_of := null;
  new.part_position := null;
  return new;
end $$;
create trigger leave_series before update of series_id on articles for each row
  when (old.series_id is not null and new.series_id is null) execute function leave_series();

create table article_notices (
  id uuid primary key default gen_random_uuid(),
  article_id uuid not null references articles on delete cascade,
  code text not null,
  message text not null,
  dedupe_key text not null unique,
  created_at timestamptz not null default now()
);
create index article_notices_article_id_idx on article_notices (article_id, created_at);

create table idempotency_keys (
  user_id uuid not null references users on delete cascade,
  key text not null,
  request_hash bytea not null,
  response jsonb,
  locked_until timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);
create index idempotency_keys_created_at_idx on idempotency_keys (created_at);

-- Unlogged: losing a minute's counts in a crash does no harm, and a publish needs one durable commit fewer.
create unlogged table rate_counters (
  bucket text primary key,
  count integer not null,
  resets_at timestamptz not null
);
`;

// An author's commands lock the author first, as these triggers do, so that two transactions never
// decide from different states. `enable_seqscan = off`: cached plans from a small table must also
// suit a large one. Triggers fire in alphabetical order; these names keep the lock before later
// triggers. `status || ''` and `is_canonical::int` exclude the partial indexes, which hold all
// articles of an author: the planner uses articles_canonical_idx.
const CANONICAL = `
create function set_is_canonical() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  new.is_canonical := false;
  if new.status = 'PUBLISHED' then
    perform from users where id = new.author_id for no key update;
    new.is_canonical := not exists (select from articles older
      where older.author_id = new.author_id and older.canonical_key = new.canonical_key and older.status || '' = 'PUBLISHED'
      and (older.created_at, older.id) < (new.created_at, new.id) and older.id <> new.id);
  end if;
  return new;
end $$;
create trigger decide_canonical before insert on articles for each row execute function set_is_canonical();
create trigger decide_canonical_again before update on articles for each row
  when ((old.status, old.canonical_key, old.author_id, old.created_at, old.is_canonical)
    is distinct from (new.status, new.canonical_key, new.author_id, new.created_at, new.is_canonical))
  execute function set_is_canonical();

-- When an article stops being canonical, the next one may become it; when it becomes canonical, the
-- others stop (several, if one statement published them all). The nested update fires the same
-- triggers. The select first avoids an update without rows, which would double the trigger's time.
create function update_duplicates() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  was_canonical boolean := tg_op <> 'INSERT' and old.is_canonical;
  is_canonical boolean := tg_op <> 'DELETE' and new.is_canonical;
  other uuid;
  others uuid[];
begin
  if was_canonical and is_canonical and (old.author_id, old.canonical_key) = (new.author_id, new.canonical_key) then return null; end if;
  if was_canonical then
    perform from users where id = old.author_id for no key update;
    select id into other from articles
      where author_id = old.author_id and canonical_key = old.canonical_key and status || '' = 'PUBLISHED' and id <> old.id
      order by created_at, id limit 1;
    if found then update articles set is_canonical = true where id = other and not articles.is_canonical; end if;
  end if;
  if is_canonical then
    others := array(select id from articles a
      where author_id = new.author_id and canonical_key = new.canonical_key and a.is_canonical::int = 1 and id <> new.id);
    if cardinality(others) > 0 then update articles set is_canonical = false where id = any (others); end if;
  end if;
  return null;
end $$;
create trigger decide_duplicates after insert or delete or update of status, canonical_key, author_id, created_at, is_canonical on articles
  for each row execute function update_duplicates();
`;

const DELIVERIES = `
-- Every account that an author has ever connected under a destination key.
create table accounts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  destination text not null,
  platform text not null,
  identity text not null, -- Stable ids from the probe, never a display name
  name text,
  origin text, -- Scheme, host and port of the last probed server
  -- When it was last connected. Deliveries of a disconnected destination appear at the newest account.
  connected_at timestamptz,
  created_at timestamptz not null default now(),
  unique (user_id, destination, platform, identity)
);
create index accounts_identity_idx on accounts (identity);

create table connections (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  destination text not null,
  account_id uuid not null references accounts,
  platform text not null,
  base_url text not null,
  credentials_sealed bytea not null,
  status text not null default 'active' check (status in ('active', 'unauthorised')),
  status_reason text,
  version integer not null default 1, -- Counts the changes of its account, its credential and its status
  -- GCRA: the theoretical arrival time of the next write over this account.
  arrival_at timestamptz not null default now(),
  blocked_until timestamptz,
  -- Responses 429 in a row: each that names almost no time makes the next block longer.
  refusals integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, destination)
);
create index connections_account_id_idx on connections (account_id);

-- An author's latest command that connected or disconnected a destination: an earlier one, whose
-- probe took longer, must not undo it.
create sequence connection_command_numbers;
create table connection_commands (
  user_id uuid not null references users on delete cascade,
  destination text not null,
  number bigint not null,
  primary key (user_id, destination)
);

-- The last probe before a scheduled time, shared by all articles for that connection; code is null
-- if the credential was accepted.
create table credential_checks (
  connection_id uuid primary key references connections on delete cascade,
  credential_version integer not null,
  leased_until timestamptz,
  checked_at timestamptz,
  code text,
  reason text
);

-- What exists, or may exist, of an article at an account.
create table copies (
  id uuid primary key default gen_random_uuid(),
  article_id uuid not null references articles on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  remote_id text,
  remote_url text,
  remote_changed_at text, -- The platform's time of our last change; null if unknown
  content_hash text, -- Of the content of the copy; null if unknown
  revision integer,
  -- Set by delivery/presence.ts from answers, and when a copy is found, settled or unknown after a restore.
  presence text not null check (presence in ('absent', 'live', 'hidden', 'deleted', 'uncertain')),
  may_be_live boolean not null generated always as (presence in ('live', 'uncertain')) stored,
  withdrawn_at timestamptz,
  is_current boolean not null default true,
  updated_at timestamptz not null default clock_timestamp(),
  unique (account_id, remote_id),
  check (remote_id is not null or presence in ('absent', 'uncertain'))
);
create unique index copies_current_key on copies (article_id, account_id) where is_current;
create index copies_article_id_idx on copies (article_id);

create table deliveries (
  id uuid primary key default gen_random_uuid(),
  article_id uuid not null references articles on delete cascade,
  destination text not null,
  handled_dispatch integer not null default 0,
  skipped_dispatch integer not null default 0, -- The dispatch that the author does not want sent here
  overwrite boolean not null default false,
  withdraw_requested boolean not null default false,
  slot_at timestamptz, -- When it may call its destination; a block of the account moves it
  slot_connection_id uuid references connections on delete set null, -- The rate budget that its slot belongs to
  due_at timestamptz, -- When the next work is or was due; null if nothing is due
  -- Counts commands, publishes, attempts and changes of the account; a decision is written only for
  -- the version that was read.
  version integer not null default 0,
  created_at timestamptz not null default now(),
  unique (article_id, destination)
);
create index deliveries_due_at_idx on deliveries (due_at) where due_at is not null;
create index deliveries_slot_idx on deliveries (slot_connection_id, slot_at) where slot_connection_id is not null;

create table delivery_attempts (
  id uuid primary key default gen_random_uuid(),
  delivery_id uuid not null references deliveries on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  copy_id uuid references copies on delete set null,
  action text not null check (action in ('create', 'update', 'withdraw')),
  dispatch integer not null,
  revision integer not null,
  content_hash text not null,
  look_up jsonb not null, -- Keys to find the copy that it may have created, whatever is edited later
  payload jsonb, -- Stored if one identical repeat serves as the look-up
  repeated_at timestamptz,
  started_at timestamptz not null default clock_timestamp(),
  was_sent boolean not null default true, -- False if it was refused before a request was sent
  -- The author gave a command since: if it fails, what is due is tried again.
  has_later_command boolean not null default false,
  answer jsonb, -- The destination's answer, written by the activity that received it; null if there is none
  answered_at timestamptz,
  -- The decision on the answer; null until it is made.
  outcome text check (outcome in ('delivered', 'adopted', 'absent', 'withdrawn', 'failed', 'retried', 'settled', 'void')),
  code text, -- The failure and its reason; of an open attempt, what is known so far
  reason text,
  unknown_dispatch integer, -- The dispatch for which its author was asked to look for the copy
  ended_at timestamptz,
  check ((outcome is null) = (ended_at is null)),
  check ((answer is null) = (answered_at is null))
);
-- At one account there is at most one open attempt.
create unique index delivery_attempts_open_key on delivery_attempts (delivery_id, account_id) where ended_at is null;
create index delivery_attempts_account_idx on delivery_attempts (account_id, ended_at desc);
create index delivery_attempts_delivery_idx on delivery_attempts (delivery_id, account_id, started_at desc);
create index delivery_attempts_copy_id_idx on delivery_attempts (copy_id);
-- Attempts that may need their author.
create index delivery_attempts_failed_idx on delivery_attempts (delivery_id) where ended_at is null or outcome = 'failed';

-- The one place that decides whether an article is selected for a destination.
create function is_selected(syndicate boolean, imported boolean, cross_post jsonb, destination text) returns boolean
  language sql immutable as $$ select syndicate and not imported and coalesce((cross_post ->> destination)::boolean, false) $$;

-- Every publish, command and firing of a schedule raises the article's dispatch.
create function mark_deliveries_due() returns trigger language plpgsql as $$
begin
  insert into deliveries (article_id, destination, due_at)
  select new.id, concerned.destination, clock_timestamp() from (
    select destination from deliveries where article_id = new.id
    union select c.destination from connections c where c.user_id = new.author_id and new.status = 'PUBLISHED'
      and is_selected(new.syndicate, new.imported, new.cross_post, c.destination)
  ) concerned order by concerned.destination
  on conflict (article_id, destination) do update set due_at = excluded.due_at, version = deliveries.version + 1;
  return null;
end $$;
-- A new article has no deliveries yet, so one that selects no destination needs no search for them.
create trigger deliveries_due_on_insert after insert on articles for each row
  when (new.syndicate and new.status = 'PUBLISHED') execute function mark_deliveries_due();
create trigger deliveries_due_on_update after update of dispatch on articles for each row
  when (old.dispatch is distinct from new.dispatch) execute function mark_deliveries_due();

-- Each article at each destination: intent, connection, current copy, attempts, and the state that follows.
create view delivery_states as
select fact.*,
  case
    when state in ('unknown', 'delivering') then case when is_skipped then 'skipped' else open_code end
    when state = 'held' then case when connection_id is null then 'not_connected' else 'unauthorised' end
    when state = 'delivered' then null
    when is_skipped then 'skipped'
    when state = 'failed' or (state = 'stale' and last_outcome = 'failed' and is_handled) then last_code
    when open_id is not null and open_action <> 'create' then 'outcome_unknown'
    when state in ('pending', 'stale') and last_outcome in ('retried', 'absent') and due_at > clock_timestamp() then last_code
    when is_offered then 'other_account'
  end as error_code,
  state in ('failed', 'held', 'unknown') and not is_skipped and (state = 'unknown' or has_live_copy or should_be_delivered) as needs_author,
  case when due_at > clock_timestamp() and state in ('pending', 'stale', 'delivering') then due_at end as next_attempt_at
from (
  select base.*,
    case
      when open_action = 'create' and unknown_dispatch >= dispatch then 'unknown'
      when open_id is not null and due_at is not null and connection_status = 'active' then 'delivering'
      when is_carried and not should_be_withdrawn then 'delivered'
      when is_skipped then case when has_live_copy then 'stale' else 'failed' end
      when due_at is not null and not is_handled and (should_be_delivered or (should_be_withdrawn and has_live_copy) or open_action = 'create')
        and connection_status is distinct from 'active' then 'held'
      when due_at is not null and not is_handled and (should_be_delivered or (should_be_withdrawn and has_live_copy)) then
        case when presence in ('live', 'hidden') or has_live_copy then 'stale' else 'pending' end
      when last_outcome = 'failed' and is_handled and last_code <> 'cannot_update' then 'failed'
      when last_outcome = 'failed' and last_code = 'cannot_withdraw' and should_be_withdrawn and has_live_copy then 'failed'
      else 'stale'
    end as state,
    should_be_delivered and presence = 'absent' and due_at is null and open_id is null and not is_skipped
      and coalesce(last_outcome, 'void') in ('retried', 'absent', 'void') as is_offered
  from (
    select d.id as delivery_id, a.id as article_id, a.author_id, keys.destination, a.status, a.dispatch, a.revision, a.imported,
      d.version, d.handled_dispatch, d.skipped_dispatch, d.withdraw_requested, d.overwrite, d.due_at,
      c.id as connection_id, c.version as connection_version, c.status as connection_status, c.status_reason, c.platform as connected_platform,
      account.id as account_id, account.platform, account.name as account,
      cp.id as copy_id, cp.remote_id, cp.remote_url, cp.remote_changed_at, cp.content_hash, cp.revision as delivered_revision,
      coalesce(cp.presence, 'absent') as presence, case when cp.presence <> 'live' then cp.withdrawn_at end as withdrawn_at,
      o.id as open_id, o.action as open_action, o.code as open_code, o.reason as open_reason, o.answer as open_answer, o.unknown_dispatch,
      l.outcome as last_outcome, l.code as last_code, l.reason as last_reason,
      is_selected(a.syndicate, a.imported, a.cross_post, keys.destination) as is_selected,
      is_selected(a.syndicate, a.imported, a.cross_post, keys.destination) and a.status = 'PUBLISHED' and u.suspended_at is null
        and not coalesce(d.withdraw_requested, false) and a.has_body as should_be_delivered,
      coalesce(d.withdraw_requested, false) or (a.status <> 'PUBLISHED' and not a.imported) as should_be_withdrawn,
      d.handled_dispatch >= a.dispatch as is_handled,
      coalesce(d.skipped_dispatch >= a.dispatch, false) as is_skipped,
      coalesce(cp.presence = 'live' or (cp.presence = 'uncertain' and cp.remote_id is not null), false) as has_live_copy,
      coalesce(cp.presence = 'live' and cp.revision = a.revision and not d.overwrite and (cp.content_hash is not null or a.imported), false) as is_carried
    from articles a join users u on u.id = a.author_id
    cross join unnest(array['blogsite_a', 'blogsite_b', 'blogsite_c', 'cms_site', 'social_feed']) keys (destination)
    left join deliveries d on d.article_id = a.id and d.destination = keys.destination
    left join connections c on c.user_id = a.author_id and c.destination = keys.destination
    left join lateral (
      select id, platform, name from accounts
      where user_id = a.author_id and accounts.destination = keys.destination and (c.id is null or accounts.id = c.account_id)
      order by connected_at desc nulls last limit 1
    ) account on true
    left join copies cp on cp.article_id = a.id and cp.account_id = account.id and cp.is_current
    left join delivery_attempts o on o.delivery_id = d.id and o.account_id = account.id and o.ended_at is null
    left join lateral (
      select outcome, code, reason, t.dispatch from delivery_attempts t
      where t.delivery_id = d.id and t.account_id = account.id and t.ended_at is not null
      order by t.started_at desc, t.ended_at desc limit 1
    ) l on l.dispatch >= d.handled_dispatch
  ) base
) fact;
`;

const READERS = `
-- By day in the zone of the author's digest settings at the time of the view.
create table article_days (
  article_id uuid not null references articles on delete cascade,
  day date not null,
  views integer not null default 0 check (views >= 0),
  reading_seconds bigint not null default 0 check (reading_seconds >= 0),
  primary key (article_id, day)
);
-- host: the referring site; direct without one, other beyond the limit.
create table article_day_hosts (
  article_id uuid not null references articles on delete cascade,
  day date not null,
  host text not null,
  views integer not null default 0 check (views >= 0),
  primary key (article_id, day, host)
);
-- Totals of the two tables above. Statistics of an author with a thousand articles would read some
-- hundred thousand rows without them.
create table article_months (
  article_id uuid not null references articles on delete cascade,
  month date not null check (month = date_trunc('month', month)),
  views bigint not null default 0 check (views >= 0),
  reading_seconds bigint not null default 0 check (reading_seconds >= 0),
  primary key (article_id, month)
);
create table author_days (
  author_id uuid not null references users on delete cascade,
  day date not null,
  views bigint not null default 0 check (views >= 0),
  reading_seconds bigint not null default 0 check (reading_seconds >= 0),
  primary key (author_id, day)
);
create table author_day_hosts (
  author_id uuid not null references users on delete cascade,
  day date not null,
  host text not null,
  views bigint not null default 0 check (views >= 0),
  primary key (author_id, day, host)
);

-- Salted hashes of today's visitors, different for each article. The salt is deleted with its day, so
-- that nobody can tell later which reader a visitor was.
create unlogged table reading_salts (
  day date primary key,
  salt bytea not null
);
create unlogged table reading_visitors (
  day date not null references reading_salts on delete cascade,
  article_id uuid not null,
  network bytea not null,
  visitor bytea not null,
  seconds integer not null default 0,
  primary key (day, article_id, network, visitor)
);

create table reactions (
  article_id uuid not null references articles on delete cascade,
  user_id uuid not null references users on delete cascade,
  kind text not null default 'like',
  created_at timestamptz not null default now(),
  primary key (article_id, user_id, kind)
);
create index reactions_article_created_idx on reactions (article_id, created_at);
create index reactions_user_id_idx on reactions (user_id);

create table comments (
  id uuid primary key default gen_random_uuid(),
  article_id uuid not null references articles on delete cascade,
  parent_id uuid references comments on delete cascade,
  user_id uuid references users on delete set null, -- Null once the account is deleted; the comment stays
  body text not null,
  html text not null default '', -- The body, rendered and sanitised when it was written
  depth smallint not null default 0,
  -- Time and id of every comment from the root to this one: in this order an article's comments are its threads.
  path bytea not null,
  is_question boolean not null default false,
  accepted_at timestamptz, -- When the article's author marked it as the solution
  edited_at timestamptz,
  hidden_at timestamptz, -- The article's author hides it; replies stay
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  check (parent_id <> id)
);
create index comments_article_created_idx on comments (article_id, created_at);
create unique index comments_article_path_key on comments (article_id, path);
create unique index comments_accepted_key on comments (article_id) where accepted_at is not null;
create index comments_parent_id_idx on comments (parent_id);
create index comments_user_created_idx on comments (user_id, created_at);

create function comment_step(at timestamptz, id uuid) returns bytea language sql immutable as $$
  select int8send((extract(epoch from at at time zone 'UTC') * 1000000)::bigint) || uuid_send(id)
$$;
create function place_comment() returns trigger language plpgsql as $$
declare
  parent comments;
begin
  new.path := comment_step(new.created_at, new.id);
  if new.parent_id is null then return new; end if;
  select * into parent from comments where id = new.parent_id;
  if not found or parent.article_id <> new.article_id then
    raise exception 'a reply belongs to the article of its parent' using errcode = '23503', constraint = 'comments_parent_id_fkey';
  end if;
  new.depth := parent.depth + 1;
  new.path := parent.path || new.path;
  return new;
end $$;
create trigger place_comment before insert on comments for each row execute function place_comment();

create table roundups (
  week text primary key check (week ~ '^[0-9]{4}-W[0-9]{2}$'),
  state text not null check (state in ('published', 'empty')),
  at timestamptz not null
);
create table roundup_entries (
  week text not null references roundups on delete cascade,
  position smallint not null,
  article_id uuid not null unique references articles on delete cascade,
  score integer not null,
  views integer not null,
  reactions integer not null,
  commenters integer not null,
  primary key (week, position)
);
`;

const MAIL = `
create table notification_counters (
  user_id uuid primary key references users on delete cascade,
  last_number bigint not null
);
create table notifications (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  number bigint not null,
  type text not null,
  payload jsonb not null,
  link text, -- A path of this site
  dedupe_key text not null unique,
  -- False if its recipient had turned the type off for streams: listed only, and read at once.
  on_stream boolean not null default true,
  read_at timestamptz,
  -- Set while its subject is hidden: neither listed, counted nor sent. The row stays, so that its
  -- return is not announced again.
  withdrawn_at timestamptz,
  created_at timestamptz not null default now(),
  unique (user_id, number)
);
create index notifications_unread_idx on notifications (user_id) where read_at is null and withdrawn_at is null;
create index notifications_created_at_idx on notifications (created_at);
-- Only of types that were changed; the others are on.
create table notification_preferences (
  user_id uuid not null references users on delete cascade,
  type text not null,
  stream boolean not null default true,
  digest boolean not null default true,
  primary key (user_id, type)
);

-- The secret part of a link is a signature over its row, so it is not stored.
create table mail_links (
  id uuid primary key,
  purpose text not null,
  user_id uuid references users on delete cascade,
  subscriber_id uuid references newsletter_subscribers on delete cascade,
  email text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  check (num_nonnulls(user_id, subscriber_id) = 1)
);
create index mail_links_user_id_idx on mail_links (user_id);
create index mail_links_subscriber_id_idx on mail_links (subscriber_id);
create index mail_links_expires_at_idx on mail_links (expires_at);

-- state: sending is committed before the last byte is sent, so an interrupted mail may have arrived.
create table mails (
  id uuid primary key default gen_random_uuid(),
  kind text not null,
  -- Null if only an address was given: whether it has an account is looked up when the mail is written.
  user_id uuid references users on delete cascade,
  subscriber_id uuid references newsletter_subscribers on delete cascade,
  email text not null,
  state text not null default 'pending'
    check (state in ('pending', 'sending', 'sent', 'skipped', 'refused', 'failed', 'unknown')),
  attempts integer not null default 0,
  reason text,
  created_at timestamptz not null,
  at timestamptz not null
);
create index mails_user_id_idx on mails (user_id);
create index mails_subscriber_id_idx on mails (subscriber_id);
create index mails_email_idx on mails (lower(email), kind, created_at);
create index mails_created_at_idx on mails (created_at);

create table digest_settings (
  user_id uuid primary key references users on delete cascade,
  frequency text not null default 'weekly' check (frequency in ('daily', 'weekly', 'monthly', 'off')),
  -- 1 is Monday; monthly means the first such day of the month.
  weekday smallint not null default 1 check (weekday between 1 and 7),
  hour smallint not null default 8 check (hour between 0 and 23),
  zone text not null default 'UTC',
  send_empty boolean not null default false,
  next_due_at timestamptz(3),
  -- When digests were turned on, or started again after a refused address: none is due before.
  since timestamptz not null default now(),
  -- The mail server refused the address permanently; nothing is sent until the author changes the settings.
  stopped_at timestamptz,
  stopped_reason text,
  unclear_refusals smallint not null default 0, -- Digests in a row that were refused without a code that says why
  updated_at timestamptz not null default now(),
  check (next_due_at is null or (frequency <> 'off' and stopped_at is null))
);
create index digest_settings_due_idx on digest_settings (next_due_at, user_id) where next_due_at is not null;

-- Every new account gets a weekly digest, Mondays at 08:00 UTC.
create function first_digest_due(after timestamptz) returns timestamptz language sql stable as $$
  select (case when monday > after at time zone 'UTC' then monday else monday + interval '7 days' end) at time zone 'UTC'
  from (select date_trunc('week', after at time zone 'UTC') + interval '8 hours' as monday) as this_week
$$;
create function add_digest_settings() returns trigger language plpgsql as $$
begin
  insert into digest_settings (user_id, next_due_at, since) values (new.id, first_digest_due(new.created_at), new.created_at);
  return null;
end $$;
create trigger add_digest_settings after insert on users for each row execute function add_digest_settings();

-- A new address has refused nothing. A stopped digest is due at once, since the last one reached nobody.
create function restart_digest() returns trigger language plpgsql as $$
begin
  update digest_settings set unclear_refusals = 0 where user_id = new.id;
  update digest_settings set stopped_at = null, stopped_reason = null, since = now(), next_due_at = now()
    where user_id = new.id and stopped_at is not null and frequency <> 'off';
  return null;
end $$;
create trigger restart_digest after update of email on users for each row
  when (lower(old.email) is distinct from lower(new.email)) execute function restart_digest();

create table digests (
  user_id uuid not null references users on delete cascade,
  date date not null, -- Of the due time, in the author's zone
  due_at timestamptz(3) not null,
  -- Of the author's settings when it was opened.
  frequency text not null check (frequency in ('daily', 'weekly', 'monthly')),
  -- As in mails.
  state text not null default 'pending'
    check (state in ('pending', 'sending', 'sent', 'skipped', 'refused', 'failed', 'unknown')),
  message_id text not null,
  attempts integer not null default 0, -- Counts the times it was marked as sending
  reason text,
  at timestamptz not null,
  primary key (user_id, date)
);
`;

const IMPORTS = `
create table imports (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  source text not null check (source in ('blogsite_a', 'blogsite_b', 'blogsite_c', 'rss')),
  identifier text not null,
  place jsonb not null, -- The identifier, resolved when the import was started: a later connection does not change it
  most_items integer check (most_items > 0),
  since timestamptz,
  as_draft boolean not null,
  dry_run boolean not null,
  images text not null check (images in ('keep', 'copy')),
  state text not null default 'running' check (state in ('running', 'done', 'failed', 'cancelled')),
  cursor jsonb, -- Where listing the source continues; null at its end
  listed_items integer not null default 0,
  listed_bytes bigint not null default 0,
  notices jsonb not null default '[]',
  reason text,
  waits_until timestamptz, -- Set while the source is unreachable or has requested a pause
  created_at timestamptz not null,
  ended_at timestamptz,
  check ((state = 'running') = (ended_at is null))
);
create index imports_user_id_idx on imports (user_id, created_at);
-- One at a time, also for concurrent requests.
create unique index imports_running_key on imports (user_id) where state = 'running';
create index imports_ended_at_idx on imports (ended_at) where ended_at is not null;

create table import_items (
  import_id uuid not null references imports on delete cascade,
  number integer not null, -- In the order of the source, from 1: newest first
  remote_id text not null,
  url text,
  title text not null,
  published_at timestamptz,
  account text, -- The identity of the account at the source, as a probe returns it; null if the source does not name it
  post jsonb, -- As the source listed it; null once the outcome is known
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
);
create index import_items_open_idx on import_items (import_id, number) where outcome is null;
create index import_items_article_id_idx on import_items (article_id) where article_id is not null;

-- Posts elsewhere that are articles here, deleted ones too: a further import skips them.
create table article_origins (
  author_id uuid not null references users on delete cascade,
  source text not null,
  origin text not null, -- The site or feed within which the source's ids are unique
  remote_id text not null,
  article_id uuid not null references articles on delete cascade,
  created_at timestamptz not null,
  primary key (author_id, source, origin, remote_id)
);
create index article_origins_article_id_idx on article_origins (article_id);

create table images (
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
  type text not null check (type in ('png', 'jpg', 'gif', 'webp', 'avif')),
  bytes integer not null check (bytes > 0),
  created_at timestamptz not null,
  -- Its file is being deleted, because no author has it; a new claim waits until that is done.
  deleting_since timestamptz
);
create table author_images (
  author_id uuid not null references users on delete cascade,
  hash text not null references images,
  bytes integer not null,
  checked_at timestamptz not null, -- When the author's documents were last searched for it
  unused_since timestamptz, -- Since then no document names it
  primary key (author_id, hash)
);
create index author_images_hash_idx on author_images (hash);
create index author_images_checked_at_idx on author_images (checked_at);
-- The image copied from an address: it is fetched once, however many posts show it.
create table image_copies (
  author_id uuid not null,
  address text not null,
  hash text not null,
  primary key (author_id, address),
  foreign key (author_id, hash) references author_images on delete cascade
);
create index image_copies_hash_idx on image_copies (author_id, hash);
`;

const OPERATION = `
create table outbox (
  id bigint generated always as identity primary key,
  article_id uuid references articles on delete cascade,
  destination text, -- With a destination, a command for that delivery: its workflow is signalled, not the article's
  mail_id uuid references mails on delete cascade,
  import_id uuid references imports on delete cascade,
  -- False if the article has no time to wait for: its deliveries are signalled at once.
  wakes_article boolean not null default true,
  may_wait boolean not null default false, -- Found by a sweep: entries of new requests go first
  traceparent text, -- In the format of W3C Trace Context; null without tracing
  attempts integer not null default 0,
  leased_until timestamptz,
  last_error text,
  created_at timestamptz not null default now(),
  constraint outbox_check check (num_nonnulls(article_id, mail_id, import_id) = 1)
);
create index outbox_order_idx on outbox (may_wait, id);
create index outbox_article_id_idx on outbox (article_id);
create index outbox_mail_id_idx on outbox (mail_id) where mail_id is not null;
create index outbox_import_id_idx on outbox (import_id) where import_id is not null;

-- Work that one instance does for all. A lease that is not renewed expires, and another instance takes over.
create table leases (
  work text primary key,
  holder uuid not null,
  leased_until timestamptz not null
);

-- A continuous period each in which a worker ran, or reached Temporal: an outage is the gap between two rows.
create table sightings (
  id bigint generated always as identity primary key,
  part text not null check (part in ('worker', 'temporal')),
  process uuid not null,
  since timestamptz not null,
  until timestamptz not null
);
create index sightings_part_until_idx on sightings (part, until);

-- Each restore of this database from a backup; nothing is sent until it is finished.
create table restores (
  id integer generated always as identity primary key,
  started_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz
);
create unique index restores_unfinished_key on restores ((true)) where finished_at is null;
`;

// The number is 10,000 in a part of the sitemap, and not the 50,000 that the protocol allows, because
// an address has up to 1,900 bytes and a part 50 MB.
const LISTS = `
-- Of public articles only. An index over articles.tags would find all 50,000 of a tag before the newest.
create table article_tags (
  tag text not null,
  published_at timestamptz not null,
  article_id uuid not null references articles on delete cascade,
  author_id uuid not null,
  primary key (tag, published_at, article_id)
);
create index article_tags_article_id_idx on article_tags (article_id);
-- Of an author with few articles of a common tag, or the other way round.
create index article_tags_author_idx on article_tags (author_id, tag, published_at desc, article_id desc);

-- A place in the sitemap never changes, so that a later publish changes one part only.
create sequence sitemap_places as integer minvalue 0;
create function place_in_sitemap() returns trigger language plpgsql as $$
begin
  new.sitemap_place := nextval('sitemap_places');
  return new;
end $$;
create trigger place_in_sitemap before insert or update of status on articles for each row
  when (new.status = 'PUBLISHED' and new.sitemap_place is null) execute function place_in_sitemap();

-- The lists that ever had a public article; a reader checks whether one has any now.
create table sitemap_lists (
  kind text not null check (kind in ('author', 'tag', 'series')),
  key text not null,
  place integer generated always as identity (minvalue 0),
  primary key (kind, key)
);
create index sitemap_lists_part_idx on sitemap_lists (kind, (place / 10000));

-- Ordered, so that two publishes with the same new tags do not wait for each other. Looked up first,
-- because a conflict would use up a place.
create function list_article() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if tg_op = 'UPDATE' then
    delete from article_tags where article_id = new.id;
  end if;
  if new.status <> 'PUBLISHED' then return null; end if;
  insert into article_tags (tag, published_at, article_id, author_id)
    select distinct tag, new.published_at, new.id, new.author_id from unnest(new.tags) as tag where tag not in ('.', '..');
  insert into sitemap_lists (kind, key)
    select kind, key from (
      select 'author' as kind, new.author_id::text as key
      union all select 'series', new.part_of::text where new.part_of is not null
      union all select 'tag', tag from article_tags where article_id = new.id
    ) as named
    where not exists (select from sitemap_lists known where (known.kind, known.key) = (named.kind, named.key))
    order by kind, key
    on conflict do nothing;
  return null;
end $$;
create trigger list_new_article after insert on articles for each row execute function list_article();
create trigger list_changed_article after update of status, published_at, tags, part_of, author_id on articles for each row
  when ((old.status, old.published_at, old.tags, old.part_of, old.author_id)
    is distinct from (new.status, new.published_at, new.tags, new.part_of, new.author_id))
  execute function list_article();

-- Separate from articles: a search that finds half of the site reads small rows. The words are stored
-- outside of the row if possible, and not compressed, because ranking reads them.
create table search_entries (
  article_id uuid primary key references articles on delete cascade,
  author_id uuid not null,
  rules text not null, -- The text search configuration of the words
  published_at timestamptz, -- Of the article while it is public and may be searched, else null
  -- Stems with position and weight, words without accents, and keys, which contain a slash: tag/rust.
  words tsvector not null
);
alter table search_entries alter column words set storage external, set (toast_tuple_target = 128);
create index search_entries_words_idx on search_entries using gin (words) where published_at is not null;
create index search_entries_rules_idx on search_entries (rules);

create function search_time(article articles) returns timestamptz language sql immutable as $$
  select case when article.status = 'PUBLISHED' and coalesce(article.content_signal, '') !~ 'search=no' then article.published_at end
$$;
-- An article is published or unpublished without being derived again.
create function follow_article() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if new.deleted_at is not null then
    delete from search_entries where article_id = new.id;
  else
    update search_entries set published_at = search_time(new) where article_id = new.id;
  end if;
  return null;
end $$;
create trigger follow_article after update of status, published_at, content_signal, deleted_at on articles for each row
  when ((old.status, old.published_at, old.content_signal, old.deleted_at)
    is distinct from (new.status, new.published_at, new.content_signal, new.deleted_at))
  execute function follow_article();
`;

// Every change that readers see is announced with its cache tags on `courant_changes`, and logged
// for agents that follow the site.
const PUBLIC_CHANGES = `
-- One row for each change of a public article. Old rows of an article are pruned to the newest, and
-- the newest that appeared. No foreign keys, because deleted articles stay in the log.
create table article_changes (
  number bigint generated always as identity primary key,
  article_id uuid not null,
  author_id uuid not null,
  slug text not null, -- The public one: the slug of a draft is not disclosed
  appeared boolean not null, -- Whether it became public by this change
  at timestamptz not null default clock_timestamp()
);
create index article_changes_article_idx on article_changes (article_id, number);
create index article_changes_author_idx on article_changes (author_id, number);
create index article_changes_appeared_idx on article_changes (article_id, number) where appeared;

-- Numbers commit out of order. Before a transaction draws its first number, it holds a shared advisory
-- lock whose key contains the last number, so a reader knows below which number nothing can appear.
create function changes_underway_lock() returns bigint language sql immutable as 'select 6238071::bigint << 40';
create function note_changes_underway() returns trigger language plpgsql as $$
begin
  if current_setting('courant.changes_underway', true) is distinct from 'yes' then
    perform pg_advisory_xact_lock_shared(changes_underway_lock() | coalesce(pg_sequence_last_value('article_changes_number_seq'), 0));
    perform set_config('courant.changes_underway', 'yes', true);
  end if;
  return null;
end $$;
create trigger note_changes_underway before insert on article_changes for each statement execute function note_changes_underway();
-- The number up to which the log is complete. Call it in a statement before the one that reads rows.
-- In this order: a transaction that drew a number before the first read either holds its lock at the
-- second, or has ended, and the statement that reads the rows afterwards sees them.
create function last_settled_change() returns bigint language plpgsql volatile as $$
declare
  drawn bigint := coalesce(pg_sequence_last_value('article_changes_number_seq'), 0);
begin
  return least(drawn, (select min(held.key - changes_underway_lock()) from pg_locks l,
    lateral (select (l.classid::bigint << 32) | l.objid::bigint as key) held
    where l.locktype = 'advisory' and l.objsubid = 1 and l.mode = 'ShareLock' and held.key >> 40 = changes_underway_lock() >> 40
    and l.database = (select oid from pg_database where datname = current_database())));
end $$;

-- A payload has less than 8,000 bytes; a longer one invalidates everything.
create function announce_change(subjects text[]) returns void language sql as $$
  select pg_notify('courant_changes', case when length(joined) < 7900 and 'everything' <> all (subjects) then joined else 'everything' end)
  from array_to_string(subjects, ' ') as joined
$$;

-- The history of the database cluster that the log belongs to; cursors of another one are refused.
create table change_epoch (
  id uuid not null default gen_random_uuid(),
  history text not null,
  only_one boolean primary key default true check (only_one)
);
create function database_history() returns text language sql volatile as $$
  select (select system_identifier from pg_control_system()) || '/' ||
    case when pg_is_in_recovery() then '' else left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) end
$$;
insert into change_epoch (history) values (database_history());
create function begin_change_epoch() returns void language plpgsql as $$
begin
  lock table article_changes in exclusive mode;
  create temporary table renumbered on commit drop as
    select article_id, author_id, slug, appeared, at from article_changes order by number;
  delete from article_changes;
  insert into article_changes (article_id, author_id, slug, appeared, at) select * from renumbered;
  drop table renumbered;
  update change_epoch set id = gen_random_uuid(), history = database_history();
  perform announce_change(array['everything']);
end $$;
-- Of several callers that find the epoch ended, one begins the next.
create function renew_change_epoch() returns void language plpgsql as $$
begin
  lock table article_changes in exclusive mode;
  if not exists (select from change_epoch where history = database_history()) then perform begin_change_epoch(); end if;
end $$;
create function restore_begins() returns trigger language plpgsql as $$
begin
  perform begin_change_epoch();
  return null;
end $$;
create trigger begin_change_epoch after insert on restores for each row execute function restore_begins();

-- enable_seqscan: a session reuses plans that it made while the tables were small.
create function article_changed() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  was_public boolean := tg_op <> 'INSERT' and old.status = 'PUBLISHED';
  is_public boolean := tg_op <> 'DELETE' and new.status = 'PUBLISHED';
  was_canonical boolean := tg_op <> 'INSERT' and old.is_canonical;
  is_canonical boolean := tg_op <> 'DELETE' and new.is_canonical;
  subjects text[] := array['articles'];
begin
  if not was_public and not is_public then return null; end if;
  if was_public then
    subjects := subjects || array['article:' || old.id, 'author:' || old.author_id, 'series:' || old.part_of];
  end if;
  if is_public then
    subjects := subjects || array['article:' || new.id, 'author:' || new.author_id, 'series:' || new.part_of];
  end if;
  perform announce_change(array(select distinct subject from unnest(subjects) as subject where subject is not null));
  -- The suspension has logged everything as withdrawn, and its end logs what is public then.
  if is_suspended(case when tg_op = 'DELETE' then old.author_id else new.author_id end) then return null; end if;
  if tg_op = 'UPDATE' and was_public and (not is_public or old.slug <> new.slug) then
    insert into slug_redirects (slug, article_id) values (old.slug, old.id) on conflict do nothing;
  end if;
  if was_canonical and not is_canonical then
    insert into article_changes (article_id, author_id, slug, appeared) values (old.id, old.author_id, old.slug, false);
  elsif is_canonical and not was_canonical then
    insert into article_changes (article_id, author_id, slug, appeared) values (new.id, new.author_id, new.slug, true);
  elsif is_canonical
    and (old.slug, old.revision, old.updated_at, old.derived_at, old.derived_version, old.canonical_key, old.author_id)
    is distinct from (new.slug, new.revision, new.updated_at, new.derived_at, new.derived_version, new.canonical_key, new.author_id) then
    insert into article_changes (article_id, author_id, slug, appeared) values (new.id, new.author_id, new.slug, false);
  end if;
  return null;
end $$;
create trigger article_changed after insert or update or delete on articles for each row execute function article_changed();

-- Every column that a page may show: only those that never are shown are excluded.
create function shown_of_user(person users) returns jsonb language sql immutable as $$
  select to_jsonb(person) - array['email', 'email_confirmed_at', 'password_hash', 'stored_bytes', 'shown_at']
$$;
create function note_shown() returns trigger language plpgsql as $$
begin
  new.shown_at := clock_timestamp();
  return new;
end $$;
create trigger note_shown before update on users for each row
  when (shown_of_user(old) is distinct from shown_of_user(new)) execute function note_shown();
create function author_changed() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  ids uuid[] := array(select id from articles where author_id = new.id and status = 'PUBLISHED'
    union select article_id from comments where user_id = new.id limit 200);
begin
  if cardinality(ids) > 150 then
    perform announce_change(array['everything']);
  else
    perform announce_change(array['articles', 'author:' || new.id] || array(select 'article:' || id from unnest(ids) as id));
  end if;
  if old.suspended_at is not null and new.suspended_at is not null then return null; end if;
  if new.suspended_at is not null then
    insert into slug_redirects (slug, article_id) select slug, id from articles where author_id = new.id and status = 'PUBLISHED'
    on conflict do nothing;
  end if;
  insert into article_changes (article_id, author_id, slug, appeared)
    select id, author_id, slug, old.suspended_at is not null from articles
    where author_id = new.id and status = 'PUBLISHED' and is_canonical order by published_at, id;
  return null;
end $$;
create trigger author_changed after update on users for each row
  when (shown_of_user(old) is distinct from shown_of_user(new)) execute function author_changed();

-- The article's page shows its comments, reactions and copies; a redirect leads to it.
create function part_of_article_changed() returns trigger language plpgsql as $$
begin
  perform announce_change(array['article:' || coalesce(new.article_id, old.article_id)]);
  if old.article_id <> new.article_id then perform announce_change(array['article:' || old.article_id]); end if;
  return null;
end $$;
create trigger comment_changed after insert or update or delete on comments for each row execute function part_of_article_changed();
create trigger redirect_changed after insert or update or delete on slug_redirects for each row execute function part_of_article_changed();
create trigger reaction_changed after insert or delete on reactions for each row execute function part_of_article_changed();
create trigger copy_changed after update on copies for each row
  when ((old.remote_url, old.presence) is distinct from (new.remote_url, new.presence)) execute function part_of_article_changed();
create trigger copy_made after insert on copies for each row when (new.remote_url is not null)
  execute function part_of_article_changed();

create function series_changed() returns trigger language plpgsql as $$
begin
  perform announce_change(array['series:' || coalesce(new.id, old.id), 'author:' || coalesce(new.author_id, old.author_id)]);
  return null;
end $$;
create trigger series_changed after insert or update or delete on series for each row execute function series_changed();
create function roundup_changed() returns trigger language plpgsql as $$
begin
  perform announce_change(array['roundups']);
  return null;
end $$;
create trigger roundup_changed after insert or update or delete on roundups for each row execute function roundup_changed();

-- A cache tag of its own: only one page shows the followers, and an author may have many lists.
create function follower_changed() returns trigger language plpgsql as $$
begin
  perform announce_change(array['followers:' || coalesce(new.author_id, old.author_id)]);
  return null;
end $$;
create trigger follower_changed after insert or delete on followers for each row execute function follower_changed();
-- Reactions and follows of a suspended person are not counted.
create function part_taken_changed() returns trigger language plpgsql as $$
declare
  subjects text[] := array(
    select distinct 'article:' || article_id from reactions where user_id = new.id
    union select 'followers:' || author_id from followers where follower_id = new.id limit 200);
begin
  if cardinality(subjects) > 150 then perform announce_change(array['everything']);
  elsif cardinality(subjects) > 0 then perform announce_change(subjects);
  end if;
  return null;
end $$;
create trigger part_taken_changed after update on users for each row
  when ((old.suspended_at is null) <> (new.suspended_at is null)) execute function part_taken_changed();

create function forget_everything() returns trigger language plpgsql as $$
begin
  perform announce_change(array['everything']);
  return null;
end $$;
${['articles', 'users', 'comments', 'slug_redirects', 'series', 'roundups', 'followers', 'reactions']
  .map(
    (table) =>
      `create trigger truncated after truncate on ${table} for each statement execute function forget_everything();`,
  )
  .join('\n')}
`;

type Operation = 'insert' | 'update' | 'delete';

/**
 * Per statement: a bulk update announces one `reload` per author, and PostgreSQL removes repeated
 * payloads of a transaction.
 */
function createTriggers(table: string, announce: string, operations: readonly Operation[]): string {
  return operations
    .map(
      (operation) => `create trigger announce_${operation}_at_desk after ${operation} on ${table}
        referencing ${operation === 'delete' ? 'old' : 'new'} table as changed for each statement execute function ${announce}();`,
    )
    .join('\n');
}

/** For rows that each delivery or publish updates: only if a column that the desk shows changes. */
function createUpdateTrigger(table: string, announce: string, shown: readonly string[]): string {
  const list = (row: string) => shown.map((column) => column.replace(/\w+/, `${row}.$&`)).join(', ');
  return `create trigger announce_update_at_desk after update on ${table} for each row
    when ((${list('old')}) is distinct from (${list('new')})) execute function ${announce}();`;
}

/** `enable_seqscan`: a session reuses plans that it made while the tables were small. */
function createFunction(name: string, perform: string): string {
  return `create function ${name}() returns trigger language plpgsql set enable_seqscan = off as $$
  begin
    perform ${perform};
    return null;
  end $$;`;
}

/** For statements on rows that name their author in `column`. */
function notifyOwners(column: 'author_id' | 'user_id'): string {
  return `pg_notify('courant_desk', owner || ' reload') from (select distinct ${column} as owner from changed) as owners`;
}

/** The page loads once for more rows of an author, and each event is written to each open stream. */
const MAX_NAMED_ROWS = 20;

/**
 * Announces changes on the channel `courant_desk`: `<user id> article|delivery|notification <row id>`,
 * or `<user id> reload` for other rows and bulk changes.
 */
const DESK_EVENTS = [
  `create function announce_rows_at_desk(event text, owners uuid[], ids uuid[]) returns void language sql as $$
    select pg_notify('courant_desk', payload) from (
      select distinct case when count(*) over (partition by owner) > ${MAX_NAMED_ROWS} then owner || ' reload' else owner || ' ' || event || ' ' || id end as payload
      from unnest(owners, ids) as changed (owner, id) where owner is not null
    ) as announced
  $$;`,

  createFunction(
    'announce_articles_at_desk',
    `announce_rows_at_desk('article', array_agg(author_id), array_agg(id)) from changed`,
  ),
  createTriggers('articles', 'announce_articles_at_desk', ['insert', 'update', 'delete']),

  // Deliveries, attempts and copies are only deleted with their article.
  createFunction(
    'announce_deliveries_at_desk',
    `announce_rows_at_desk('delivery', array_agg(a.author_id), array_agg(c.id)) from changed c join articles a on a.id = c.article_id`,
  ),
  createTriggers('deliveries', 'announce_deliveries_at_desk', ['insert', 'update']),
  createFunction(
    'announce_parts_of_deliveries_at_desk',
    `announce_rows_at_desk('delivery', array_agg(a.author_id), array_agg(d.id))
      from changed c join deliveries d on d.id = c.delivery_id join articles a on a.id = d.article_id`,
  ),
  createTriggers('delivery_attempts', 'announce_parts_of_deliveries_at_desk', ['insert', 'update']),
  createFunction(
    'announce_copies_at_desk',
    `announce_rows_at_desk('delivery', array_agg(a.author_id), array_agg(d.id))
      from changed c join accounts k on k.id = c.account_id join articles a on a.id = c.article_id
      join deliveries d on d.article_id = c.article_id and d.destination = k.destination`,
  ),
  createTriggers('copies', 'announce_copies_at_desk', ['insert', 'update']),

  createFunction(
    'announce_notifications_at_desk',
    `announce_rows_at_desk('notification', array_agg(user_id), array_agg(id)) from changed`,
  ),
  createTriggers('notifications', 'announce_notifications_at_desk', ['insert', 'update', 'delete']),

  createFunction(
    'announce_parts_of_articles_at_desk',
    `pg_notify('courant_desk', author_id || ' article ' || id) from articles where id in (select article_id from changed)`,
  ),
  createTriggers('article_notices', 'announce_parts_of_articles_at_desk', ['insert']),
  createTriggers('comments', 'announce_parts_of_articles_at_desk', ['insert', 'update', 'delete']),
  createTriggers('reactions', 'announce_parts_of_articles_at_desk', ['insert', 'delete']),

  createFunction('announce_authors_at_desk', notifyOwners('author_id')),
  // The other totals of page views change in the same transaction.
  createTriggers('author_days', 'announce_authors_at_desk', ['insert', 'update']),
  createTriggers('followers', 'announce_authors_at_desk', ['insert', 'delete']),
  createTriggers('newsletter_subscribers', 'announce_authors_at_desk', ['insert', 'update', 'delete']),
  createTriggers('series', 'announce_authors_at_desk', ['insert', 'update', 'delete']),
  createFunction('announce_users_at_desk', notifyOwners('user_id')),
  createTriggers('accounts', 'announce_users_at_desk', ['insert', 'update']),
  createTriggers('developer_tokens', 'announce_users_at_desk', ['insert', 'delete']),
  createTriggers('digest_settings', 'announce_users_at_desk', ['update']),
  createTriggers('notification_preferences', 'announce_users_at_desk', ['insert', 'update', 'delete']),
  createTriggers('sessions', 'announce_users_at_desk', ['insert', 'update', 'delete']),
  createTriggers('connections', 'announce_users_at_desk', ['insert', 'delete']),

  createFunction('announce_owner_at_desk', `pg_notify('courant_desk', new.user_id || ' reload')`),
  createUpdateTrigger('connections', 'announce_owner_at_desk', [
    ...['platform', 'base_url', 'account_id', 'status', 'status_reason', 'blocked_until', 'version'],
  ]),
  // Every publish with a token updates the time; the page shows the day.
  createUpdateTrigger('developer_tokens', 'announce_owner_at_desk', [
    ...['name', 'expires_at', 'revoked_at'],
    `(last_used_at at time zone 'UTC')::date`,
  ]),
  createFunction('announce_user_at_desk', `pg_notify('courant_desk', new.id || ' reload')`),
  createUpdateTrigger('users', 'announce_user_at_desk', [
    ...['username', 'name', 'email', 'email_confirmed_at', 'bio', 'links', 'picture_url', 'content_signal'],
  ]),
].join('\n');

const SUBJECTS = [
  PEOPLE,
  ARTICLES,
  CANONICAL,
  DELIVERIES,
  READERS,
  MAIL,
  IMPORTS,
  OPERATION,
  LISTS,
  PUBLIC_CHANGES,
  DESK_EVENTS,
];
