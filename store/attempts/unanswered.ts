/** Selects unanswered updates and withdrawals, which may still arrive at their destination. */
import { sql } from 'kysely';

/** No answer, or one from a proxy instead of the platform. A condition on the attempt `t`. */
const isUnanswered = sql`coalesce(t.answer ->> 'kind', 'unknown') = 'unknown' and coalesce(t.answer ->> 'mayArriveLate', '') <> 'false'`;

/** A condition on the attempt `t`. An hour is far more than the longest late arrival. */
export const mayStillArrive = sql`t.was_sent and t.action <> 'create' and t.started_at > clock_timestamp() - interval '1 hour' and ${isUnanswered}`;
