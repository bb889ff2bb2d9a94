/** Stores the slot of a waiting delivery in its own row. Frozen once released; imports no application code. */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const RATE_BUDGET = [
  'drop table rate_slots',
  `alter table deliveries add column slot_at timestamptz,
    add column slot_connection_id uuid references connections on delete set null`,
  'create index deliveries_slot_idx on deliveries (slot_connection_id, slot_at) where slot_connection_id is not null',
  `comment on column deliveries.slot_at is 'When it may call its destination; a block of the account moves it'`,
  `comment on column deliveries.slot_connection_id is 'The rate budget in which it has its slot; null: it has none'`,
  `comment on column connections.refusals is '429s in a row: each that names almost no time makes the next block longer'`,
];

const STATEMENTS = [...RATE_BUDGET];
