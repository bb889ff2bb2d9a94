/**
 * What keeps a schedule true: the clock on the wall that its author meant, when the service was there, and what is known of a credential.
 * Frozen once released; imports no application code.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `alter table articles
    add column scheduled_local text,
    add column scheduled_rules text,
    add column fired_at timestamptz`,
  `comment on column articles.scheduled_zone is 'The zone or offset in which the author gave the time'`,
  `comment on column articles.scheduled_local is 'What the clock of a zone given by name shows then; scheduled_at follows from it'`,
  `comment on column articles.scheduled_rules is 'The version of the time zone database by which scheduled_at was found'`,
  `comment on column articles.fired_at is 'When its schedule last made it public'`,
  `create index articles_scheduled_rules_idx on articles (scheduled_rules)
    where status = 'SCHEDULED' and scheduled_zone is not null`,
  'create index articles_fired_at_idx on articles (fired_at) where fired_at is not null',

  // An unbroken stretch of time each, so an outage is the gap between two rows.
  `create table sightings (
    id bigint generated always as identity primary key,
    part text not null check (part in ('worker', 'temporal')),
    process uuid not null,
    since timestamptz not null,
    until timestamptz not null
  )`,
  `comment on table sightings is 'When a worker ran, and when one reached Temporal'`,
  'create index sightings_part_until_idx on sightings (part, until)',

  `create table credential_checks (
    connection_id uuid primary key references connections on delete cascade,
    credential_version integer not null,
    leased_until timestamptz,
    checked_at timestamptz,
    code text,
    reason text
  )`,
  `comment on table credential_checks is 'The last probe before a scheduled time, shared by all articles that go there; code is null where it was accepted'`,

  'alter table outbox add column may_wait boolean not null default false',
  `comment on column outbox.may_wait is 'Found by a search: what somebody has just done goes first'`,
  'create index outbox_order_idx on outbox (may_wait, id)',
  'create index outbox_article_id_idx on outbox (article_id)',
];
