/** Records the local time and the destinations of a schedule, to compare them at publication. */
import { type Kysely, sql } from 'kysely';
import { showInZone } from '../../../article/frontmatter/zoned-time.ts';
import { ZONE_RULES } from '../../../article/time-zone.ts';
import { connectedPlatforms } from '../../connections/list.ts';
import type { DB } from '../../db/types.ts';

/** A time as its author wrote it. `zone`: an IANA zone or an offset; null for UTC. */
export interface AuthorTime {
  at: Date;
  zone: string | null;
}

/** Records the present destinations of the article and the local time that its author meant. */
export async function recordSchedule(db: Kysely<DB>, articleId: string, { at, zone }: AuthorTime): Promise<void> {
  const local = zone === null ? null : showInZone(at, zone);
  await sql`update articles set scheduled_zone = ${zone}, scheduled_local = ${local}, scheduled_rules = ${ZONE_RULES},
      scheduled_destinations = ${selectedConnectedDestinations}
    where id = ${articleId}`.execute(db);
}

/** The selected and connected destinations, as an expression over a row of `articles`. */
export const selectedConnectedDestinations = sql`(select coalesce(array_agg(c.destination order by c.destination), '{}') from connections c
  where c.user_id = articles.author_id
    and is_selected(articles.syndicate, articles.imported, articles.cross_post, c.destination))`;

/** Includes the schedule and the fields that name the article's workflows. */
export function findArticleState(db: Kysely<DB>, articleId: string) {
  return db
    .selectFrom('articles')
    .innerJoin('users', 'users.id', 'articles.authorId')
    .select(['articles.id', 'articles.status', 'articles.scheduledAt', 'articles.slug'])
    .select(['articles.remindedFor', 'articles.scheduledZone as zone', 'articles.scheduledRules as rules'])
    .select(['articles.title', 'users.username', 'users.name as authorName', connectedPlatforms])
    .where('articles.id', '=', articleId)
    .executeTakeFirst();
}
