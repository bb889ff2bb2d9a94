/** Suspensions of authors by the operator: deliveries stop, sessions and streams end. */
import { sql } from 'kysely';

/** Channel for ids of suspended or deleted users, sent by triggers on any change. */
export const SUSPENSION_CHANNEL = 'courant_suspensions';

/** Whether the user in a column is not suspended, so their contributions count. Null: deleted. */
export function isNotSuspended(column: string) {
  return sql<boolean>`not exists (
    select from users person where person.id = ${sql.ref(column)} and person.suspended_at is not null)`;
}
