/** Finds the tags and authors with the most recent articles, for the front page. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import { selectNewest } from './article-list.ts';

export interface BusyLists {
  tags: string[];
  authors: BusyAuthor[];
}

export interface BusyAuthor {
  username: string;
  name: string;
  pictureUrl: string | null;
  articles: number;
}

/** Newest articles that are counted; limits what is read. */
const MAX_COUNTED_ARTICLES = 300;

export async function findBusyLists(db: Kysely<DB>, limits: { tags: number; authors: number }): Promise<BusyLists> {
  const { rows } = await sql<BusyLists>`
    with newest as materialized (
      select articles.tags, users.username, users.name, users.picture_url ${selectNewest({ kind: 'site' })} limit ${MAX_COUNTED_ARTICLES}
    ),
    tags as (select tag, count(*) as n from newest, unnest(newest.tags) as tag group by tag order by n desc, tag limit ${limits.tags}),
    authors as (select username, name, picture_url, count(*) as n from newest group by 1, 2, 3 order by n desc, username limit ${limits.authors})
    select coalesce((select array_agg(tag order by n desc, tag) from tags), '{}') as tags,
      coalesce((select json_agg(json_build_object('username', username, 'name', name, 'pictureUrl', picture_url, 'articles', n)
        order by n desc, username) from authors), '[]') as authors`.execute(db);
  return rows[0] ?? { tags: [], authors: [] };
}
