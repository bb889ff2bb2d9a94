/**
 * What the next digest is calculated from: when the last one was due, in which rhythm, and since when its author wants any; and how many in a
 * row were refused without a clear reason. Frozen once released; imports no application code.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `alter table digests
    add column due_at timestamptz(3),
    add column frequency text check (frequency in ('daily', 'weekly', 'monthly'))`,
  `update digests set due_at = at,
    frequency = (select case when frequency = 'off' then 'weekly' else frequency end from digest_settings s where s.user_id = digests.user_id)`,
  'alter table digests alter column due_at set not null, alter column frequency set not null',
  `comment on column digests.frequency is 'Of its author''s settings when it was begun'`,

  `alter table digest_settings
    add column since timestamptz not null default now(),
    add column unclear_refusals smallint not null default 0`,
  'update digest_settings set since = updated_at',
  `comment on column digest_settings.since is 'When digests were turned on, or started again after a refused address: none is due before'`,
  `comment on column digest_settings.unclear_refusals is 'Digests in a row whose recipient was refused without a code that says why'`,

  `create or replace function add_digest_settings() returns trigger language plpgsql as $$
  begin
    insert into digest_settings (user_id, next_due_at, since) values (new.id, first_digest_due(new.created_at), new.created_at);
    return null;
  end $$`,

  // Another address was refused, not this one. A digest that was stopped is due at once, since the last one has reached nobody.
  `create function restart_digest() returns trigger language plpgsql as $$
  begin
    update digest_settings set unclear_refusals = 0 where user_id = new.id;
    update digest_settings set stopped_at = null, stopped_reason = null, since = now(), next_due_at = now()
      where user_id = new.id and stopped_at is not null and frequency <> 'off';
    return null;
  end $$`,
  `create trigger restart_digest after update of email on users for each row
    when (lower(old.email) is distinct from lower(new.email)) execute function restart_digest()`,
];
