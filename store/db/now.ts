/** The database's clock, which advances during a transaction, unlike `now()`. */
import { sql } from 'kysely';

export const NOW = sql<Date>`clock_timestamp()`;
