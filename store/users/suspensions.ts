/** Authors whom the operator has suspended: nothing of theirs goes out, and their sessions and streams end. */
import { sql } from 'kysely';

/** Says the id of an author who has just been suspended or deleted; raised by a trigger, so whoever does it and however (migrations 0010, 0015). */
export const SUSPENSION_CHANNEL = 'courant_suspensions';

/** Whether the person whose id a column has takes part. What they wrote, and that they react and follow, counts only then; null is a closed account. */
export function takesPart(column: string) {
  return sql<boolean>`not exists (
    select from users person where person.id = ${sql.ref(column)} and person.suspended_at is not null)`;
}
