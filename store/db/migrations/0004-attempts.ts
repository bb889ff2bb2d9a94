/**
 * Accounts known by stable ids, and a row for each attempt at a destination. Frozen once released; imports no application code.
 *
 * Until now an account was known by its address and name, and a delivery did not say at which account its post stands. Accounts that were
 * connected before are `unverified:` until they are probed again.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table accounts (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references users on delete cascade,
    destination text not null,
    platform text not null,
    identity text not null,
    name text,
    created_at timestamptz not null default now(),
    unique (user_id, destination, platform, identity)
  )`,
  `comment on table accounts is 'Every account that an author has connected under a destination key, whether it is connected now or not'`,
  `comment on column accounts.identity is 'Stable ids from the probe; never what the account is called'`,
  `comment on column accounts.name is 'What the account is called, to be shown; null where it was never asked'`,

  'alter table connections add column account_id uuid references accounts',
  `insert into accounts (user_id, destination, platform, identity, name)
    select user_id, destination, platform, 'unverified:' || base_url || coalesce('#' || account, ''), account from connections`,
  `update connections c set account_id = a.id from accounts a
    where a.user_id = c.user_id and a.destination = c.destination`,
  'alter table connections alter column account_id set not null, drop column account',
  'create index connections_account_id_idx on connections (account_id)',

  // A post that was delivered before its destination was disconnected stands at an account of which nothing is known.
  'alter table deliveries add column account_id uuid references accounts',
  `insert into accounts (user_id, destination, platform, identity)
    select distinct a.author_id, d.destination, 'unknown', 'unverified:disconnected'
    from deliveries d join articles a on a.id = d.article_id
    where (d.remote_id is not null or d.in_flight_action is not null) and not exists (
      select 1 from connections c where c.user_id = a.author_id and c.destination = d.destination
    )`,
  `update deliveries d set account_id = k.id from articles a, accounts k
    where a.id = d.article_id and k.user_id = a.author_id and k.destination = d.destination
    and (d.remote_id is not null or d.in_flight_action is not null)`,
  `comment on column deliveries.account_id is 'Where the remote post stands, or where one was attempted; null where nothing was sent yet'`,
  'create index deliveries_account_id_idx on deliveries (account_id)',

  `create table former_posts (
    delivery_id uuid not null references deliveries on delete cascade,
    account_id uuid not null references accounts on delete cascade,
    remote_id text not null,
    remote_url text,
    remote_changed_at text,
    delivered_hash text,
    delivered_revision integer,
    withdrawn_at timestamptz,
    primary key (delivery_id, account_id)
  )`,
  `comment on table former_posts is 'Posts at accounts that were connected before: they are taken up again with their account'`,
  'create index former_posts_account_id_idx on former_posts (account_id)',

  `create table delivery_attempts (
    delivery_id uuid not null references deliveries on delete cascade,
    number integer not null,
    account_id uuid not null references accounts on delete cascade,
    action text not null check (action in ('create', 'update', 'withdraw')),
    dispatch integer not null,
    revision integer not null,
    content_hash text not null,
    look_up jsonb not null,
    payload jsonb,
    repeated_at timestamptz,
    started_at timestamptz not null default clock_timestamp(),
    answer jsonb,
    answered_at timestamptz,
    outcome text check (outcome in ('delivered', 'adopted', 'absent', 'withdrawn', 'failed', 'retried', 'settled', 'void')),
    code text,
    reason text,
    ended_at timestamptz,
    primary key (delivery_id, number),
    check ((outcome is null) = (ended_at is null)),
    check ((answer is null) = (answered_at is null))
  )`,
  `comment on column delivery_attempts.look_up is 'By which a post that it made can be found, whatever was edited since'`,
  `comment on column delivery_attempts.payload is 'Kept where one identical repeat serves as the look-up'`,
  `comment on column delivery_attempts.answer is 'What the destination answered, written by the activity that asked; null where none came'`,
  `comment on column delivery_attempts.outcome is 'What it meant; null while that is not decided'`,
  // At one account there is at most one attempt whose outcome is open.
  'create unique index delivery_attempts_open_key on delivery_attempts (delivery_id, account_id) where ended_at is null',
  'create index delivery_attempts_account_id_idx on delivery_attempts (account_id)',
  `insert into delivery_attempts
      (delivery_id, number, account_id, action, dispatch, revision, content_hash, look_up, payload, repeated_at, started_at)
    select d.id, d.attempts, d.account_id, d.in_flight_action, a.dispatch, coalesce(d.in_flight_revision, a.revision),
      coalesce(d.in_flight_hash, ''),
      coalesce(d.in_flight_look_up, jsonb_build_object('canonicalUrl', '', 'slug', a.slug, 'title', a.title)), d.in_flight_payload,
      case when d.in_flight_repeated then d.in_flight_at end, coalesce(d.in_flight_at, now())
    from deliveries d join articles a on a.id = d.article_id where d.in_flight_action is not null`,
  `alter table deliveries
    drop column in_flight_action, drop column in_flight_at, drop column in_flight_hash, drop column in_flight_revision,
    drop column in_flight_look_up, drop column in_flight_payload, drop column in_flight_repeated`,
];
