/**
 * The deliveries that wait for one account or call it: one row each, so that a block moves all of them in their order and the calls
 * over one connection are bounded. Frozen once released; imports no application code.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table rate_slots (
    delivery_id uuid primary key references deliveries on delete cascade,
    connection_id uuid not null references connections on delete cascade,
    slot_at timestamptz not null,
    wakes_at timestamptz not null,
    calling_until timestamptz
  )`,
  'create index rate_slots_connection_idx on rate_slots (connection_id, slot_at)',
  'alter table connections add column refusals integer not null default 0',
  `comment on column connections.refusals is '429s in a row: each without a time of its own to wait makes the next pause longer'`,
  `comment on table rate_slots is 'Deliveries that wait to call a destination, or call it'`,
  `comment on column rate_slots.slot_at is 'When the delivery may call; a block of the account moves it'`,
  `comment on column rate_slots.wakes_at is 'When its workflow looks again by itself, as it was last told'`,
  `comment on column rate_slots.calling_until is 'It has one of the connection''s places; until then at most, should its worker be lost'`,
];
