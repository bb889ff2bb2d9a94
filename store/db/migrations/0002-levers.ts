/**
 * What an author may decide about a delivery, what is remembered of the remote post, and what the watch goes by. Frozen once released;
 * imports no application code.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `alter table deliveries
    add column remote_changed_at text,
    add column former_remote_ids text[] not null default '{}',
    add column in_flight_payload jsonb,
    add column in_flight_repeated boolean not null default false,
    add column skipped_dispatch integer not null default 0,
    add column overwrite boolean not null default false,
    add column withdraw_requested boolean not null default false`,
  `comment on column deliveries.remote_changed_at is 'The platform''s own time of our last change; null where it is not known'`,
  `comment on column deliveries.former_remote_ids is 'Posts that were deleted: a platform may still call them duplicates'`,
  `comment on column deliveries.in_flight_payload is 'Kept where one identical repeat serves as the look-up'`,
  `comment on column deliveries.skipped_dispatch is 'The publish that the author does not want sent here'`,

  `alter table articles
    add column deleted_at timestamptz,
    add column dispatched_at timestamptz not null default now(),
    add column scheduled_zone text,
    add column scheduled_destinations text[],
    add column reminded_for timestamptz`,
  `comment on column articles.scheduled_zone is 'The zone in which the author gave the time, to be shown; the time itself is UTC'`,
  `comment on column articles.scheduled_destinations is 'The destinations at the time of scheduling; the author is told when the firing finds others'`,
  'create index articles_dispatched_at_idx on articles (dispatched_at)',

  `create table article_notices (
    id uuid primary key default gen_random_uuid(),
    article_id uuid not null references articles on delete cascade,
    code text not null,
    message text not null,
    dedupe_key text not null unique,
    created_at timestamptz not null default now()
  )`,
  'create index article_notices_article_id_idx on article_notices (article_id, created_at)',

  // An entry with a destination is a decision of the author about that delivery; its actor is told, not the article's.
  'alter table outbox add column destination text',
];
