/** What is kept of a schedule when its time is set: the destinations that the author was told of. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';

/** Keeps where the article would go, and the zone in which its author thinks, as they are at the time of scheduling. */
export async function noteScheduledDestinations(db: Kysely<DB>, articleId: string, zone: string | null): Promise<void> {
  await sql`update articles set scheduled_zone = ${zone}, scheduled_destinations = ${wantedDestinations}
    where id = ${articleId}`.execute(db);
}

/** Asked for, and connected: in the scope of a row of `articles`. */
export const wantedDestinations = sql`(select coalesce(array_agg(c.destination order by c.destination), '{}') from connections c
  where c.user_id = articles.author_id and articles.syndicate and (articles.cross_post ->> c.destination)::boolean)`;
