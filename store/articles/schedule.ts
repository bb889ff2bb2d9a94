/** What is noted when an article is scheduled, to compare with when it is published. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';

/** Notes the destinations that the article would go to now, and the time zone that its author gave. */
export async function noteScheduledDestinations(db: Kysely<DB>, articleId: string, zone: string | null): Promise<void> {
  await sql`update articles set scheduled_zone = ${zone}, scheduled_destinations = ${wantedDestinations}
    where id = ${articleId}`.execute(db);
}

/** The destinations that are asked for and connected: an expression over a row of `articles`. */
export const wantedDestinations = sql`(select coalesce(array_agg(c.destination order by c.destination), '{}') from connections c
  where c.user_id = articles.author_id and articles.syndicate and (articles.cross_post ->> c.destination)::boolean)`;
