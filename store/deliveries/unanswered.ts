/** Updates and withdrawals that nobody answered: each may still arrive at its destination for a while. */
import { sql } from 'kysely';

/** Nobody answered it, or something else did in the platform's place. The attempt is `t`. */
const isUnanswered = sql`coalesce(t.answer ->> 'kind', 'unknown') = 'unknown' and coalesce(t.answer ->> 'mayArriveLate', '') <> 'false'`;

/** As a condition on the attempt `t`. An hour is far more than any of them can be late. */
export const mayStillArrive = sql`t.was_sent and t.action <> 'create' and t.started_at > clock_timestamp() - interval '1 hour' and ${isUnanswered}`;
