/** The time by the database's clock, which may have moved on since its transaction began. */
import { sql } from 'kysely';

export const NOW = sql<Date>`clock_timestamp()`;
