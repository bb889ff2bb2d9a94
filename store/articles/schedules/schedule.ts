/** What is noted when an article is scheduled: what its time means, and where it would go, to compare with when it is published. */
import { type Kysely, sql } from 'kysely';
import { showInZone } from '../../../article/frontmatter/zoned-time.ts';
import { ZONE_RULES } from '../../../article/time-zone.ts';
import type { DB } from '../../db/types.ts';

/** A time as its author gave it. `zone`: an IANA zone or an offset; null for UTC. */
export interface GivenTime {
  at: Date;
  zone: string | null;
}

/** Notes the destinations that the article would go to now, and the clock that its author meant. */
export async function noteSchedule(db: Kysely<DB>, articleId: string, { at, zone }: GivenTime): Promise<void> {
  const local = zone === null ? null : showInZone(at, zone);
  await sql`update articles set scheduled_zone = ${zone}, scheduled_local = ${local}, scheduled_rules = ${ZONE_RULES},
      scheduled_destinations = ${wantedDestinations}
    where id = ${articleId}`.execute(db);
}

/** The destinations that are asked for and connected: an expression over a row of `articles`. */
export const wantedDestinations = sql`(select coalesce(array_agg(c.destination order by c.destination), '{}') from connections c
  where c.user_id = articles.author_id
    and is_selected(articles.syndicate, articles.imported, articles.cross_post, c.destination))`;
