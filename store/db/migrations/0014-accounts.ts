/**
 * Accounts that people make themselves: confirmed addresses, sessions that can be ended, links in mails, mails that go out durably, and the record of
 * what operators did. Frozen once released; imports no application code.
 *
 * Whoever has an account by now was let in by the operator, and so counts as confirmed.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  'alter table users add column email_confirmed_at timestamptz',
  `comment on column users.email_confirmed_at is 'When its owner showed to read the mails that are sent to it; null until then'`,
  'update users set email_confirmed_at = created_at',

  // What a reader takes one for the other: 0 and o, 1, i and l, - and _, rn and m (the ASCII part of Unicode TR 39).
  `create function username_look(username text) returns text language sql immutable strict parallel safe
    return replace(translate(lower(username), '01i_', 'oll-'), 'rn', 'm')`,
  'create index users_username_look_idx on users (username_look(username))',

  `create table sessions (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references users on delete cascade,
    user_agent text,
    created_at timestamptz not null,
    last_used_at timestamptz not null,
    expires_at timestamptz not null,
    ended_at timestamptz
  )`,
  `comment on column sessions.last_used_at is 'Of its last refresh, so true to the hour'`,
  'create index sessions_user_id_idx on sessions (user_id)',
  'create index sessions_over_idx on sessions (least(ended_at, expires_at))',

  `create table refresh_tokens (
    token_hash bytea primary key,
    session_id uuid not null references sessions on delete cascade,
    issued_at timestamptz not null,
    replaced_at timestamptz
  )`,
  `comment on table refresh_tokens is 'One after the other in each session; the last one has not been replaced'`,
  'create index refresh_tokens_session_id_idx on refresh_tokens (session_id)',
  'create index refresh_tokens_replaced_at_idx on refresh_tokens (replaced_at) where replaced_at is not null',

  `create function notify_session_end() returns trigger language plpgsql as $$
    begin
      perform pg_notify('courant_sessions', json_build_object('userId', old.user_id, 'sessionId', old.id)::text);
      return null;
    end
  $$`,
  `create trigger sessions_ended after update of ended_at on sessions for each row
    when (old.ended_at is null and new.ended_at is not null) execute function notify_session_end()`,
  `create trigger sessions_deleted after delete on sessions for each row
    when (old.ended_at is null) execute function notify_session_end()`,

  `create table mail_links (
    id uuid primary key,
    purpose text not null,
    user_id uuid references users on delete cascade,
    subscriber_id uuid references newsletter_subscribers on delete cascade,
    email text not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    used_at timestamptz,
    check (num_nonnulls(user_id, subscriber_id) = 1)
  )`,
  `comment on table mail_links is 'The secret part of a link is a signature over its row, so it stands nowhere'`,
  'create index mail_links_user_id_idx on mail_links (user_id)',
  'create index mail_links_subscriber_id_idx on mail_links (subscriber_id)',
  'create index mail_links_expires_at_idx on mail_links (expires_at)',

  `create table mails (
    id uuid primary key default gen_random_uuid(),
    kind text not null,
    user_id uuid references users on delete cascade,
    subscriber_id uuid references newsletter_subscribers on delete cascade,
    email text not null,
    state text not null default 'pending'
      check (state in ('pending', 'sending', 'sent', 'skipped', 'refused', 'failed', 'unknown')),
    attempts integer not null default 0,
    reason text,
    created_at timestamptz not null,
    at timestamptz not null
  )`,
  `comment on column mails.user_id is 'Null where only an address was given: whether it has an account is found out when the mail is made'`,
  `comment on column mails.state is 'sending is committed before the last byte of the mail goes out: what was lost in it may have arrived'`,
  'create index mails_user_id_idx on mails (user_id)',
  'create index mails_subscriber_id_idx on mails (subscriber_id)',
  'create index mails_email_idx on mails (lower(email), kind, created_at)',
  'create index mails_created_at_idx on mails (created_at)',

  'alter table outbox alter column article_id drop not null',
  'alter table outbox add column mail_id uuid references mails on delete cascade',
  'alter table outbox add check (num_nonnulls(article_id, mail_id) = 1)',
  'create index outbox_mail_id_idx on outbox (mail_id) where mail_id is not null',

  `create table operator_actions (
    id bigint generated always as identity primary key,
    at timestamptz not null,
    operator text not null,
    action text not null,
    user_id uuid references users on delete set null,
    username text not null,
    detail text
  )`,
  `comment on column operator_actions.operator is 'User and host of the machine on which the command was given'`,
  'create index operator_actions_user_id_idx on operator_actions (user_id)',
];
