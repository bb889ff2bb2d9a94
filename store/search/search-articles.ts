/**
 * Searches the public articles, the best first. A word may be in every one of them, so not all that meet a search are ranked: the newest that
 * have the words anywhere, the newest that have them in title or tags, which may be older, and those of which they are the whole title. The index tells which those are without
 * reading any article.
 *
 * The pages of one search look at the same articles: those of its window, which ends when it was first asked and begins with the oldest that
 * was ranked then. What is published meanwhile moves nothing.
 */
import { type RawBuilder, sql } from 'kysely';
import { buildTagKey, writeKey } from '../../article/search/keys.ts';
import type { SearchTerm } from '../../article/search/parse-search.ts';
import { MAX_TEXT } from '../../article/search/snippet.ts';
import type { Database } from '../db/database.ts';
import { isListed, maySearch, readMicros, takesNoPart } from '../lists/article-list.ts';
import { type ArticleCard, CARD_COLUMNS } from './article-card.ts';
import {
  all,
  asQuery,
  buildMatch,
  buildNamed,
  buildRanking,
  buildTitled,
  type QueryOptions,
  quote,
} from './build-query.ts';
import type { CardFilter } from './list-cards.ts';
import { type Reading, readTerms } from './read-terms.ts';

/** Ranking one reads its words: some 50 µs. */
const MOST_ANYWHERE = 1_000;
const MOST_NAMED = 500;
const MOST_TITLED = 100;
/** Of later pages, whose window has a beginning: what became findable meanwhile must not push anything out. */
const ROOM = 2;
const LONGEST_MS = 3_000;

/** Where an article stands among the results, and of which search. Times in microseconds since 1970. */
export interface SearchPosition {
  /** The window; `from` is null where all that meet the search were ranked. */
  from: number | null;
  until: number;
  rank: number;
  id: string;
}

export interface FoundArticle extends ArticleCard {
  position: SearchPosition;
  /** The beginning of the text, for a snippet. */
  text: string;
}

export interface Search extends CardFilter {
  /** Not empty. */
  terms: readonly SearchTerm[];
  limit: number;
  after: SearchPosition | null;
  now: Date;
}

export function searchArticles(db: Database, search: Search): Promise<FoundArticle[]> {
  return db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = ${sql.lit(LONGEST_MS)}`.execute(tx);
    // The planner does not know that words are kept out of the row: reading every row seems cheap to it.
    await sql`set local enable_seqscan = off`.execute(tx);
    const readings = await readTerms(tx, search.terms);
    const { rows } = await buildStatement(search, readings).execute(tx);
    return rows.map(({ rank, windowFrom, ...row }) => {
      const from = search.after ? search.after.from : windowFrom;
      return { ...row, position: { from, until: getUntil(search), rank, id: row.id } };
    });
  });
}

interface RankedRow extends ArticleCard {
  text: string;
  rank: number;
  windowFrom: number | null;
}

/** Exported to look at its plan. */
export function buildStatement(search: Search, readings: readonly Reading[]) {
  const { terms, authorId, tag, limit, after } = search;
  const options = { readings, beginnings: 'last word' } as const;
  const match = all([
    buildMatch(terms, options),
    ...(tag === null ? [] : [quote(buildTagKey(tag))]),
    ...(authorId === null ? [] : [quote(writeKey('author', authorId))]),
  ]);
  const [namedQuery, titledQuery] = [buildNamed(terms, options), buildTitled(terms)];
  const until = readMicros(getUntil(search));
  const since = after?.from == null ? sql`` : sql`and published_at >= ${readMicros(after.from)}`;
  const room = after === null ? 1 : ROOM;
  const newest = (
    query: string,
    since: RawBuilder<unknown>,
    most: number,
  ) => sql`select article_id, published_at from search_entries
    where words @@ ${asQuery(query)} and published_at is not null and published_at <= ${until} ${since}
      and author_id not in (select id from users where ${takesNoPart})
    order by published_at desc, article_id desc limit ${most * room}`;
  const behind = after === null ? sql`` : sql`where (rank, id) < (${after.rank}::float8, ${after.id}::uuid)`;
  return sql<RankedRow>`
    with anywhere as materialized (${newest(match, since, MOST_ANYWHERE)}),
    named as materialized (${newest(all([match, namedQuery]), sql``, MOST_NAMED)}),
    titled as materialized (${newest(all([match, titledQuery]), sql``, MOST_TITLED)}),
    ranked as materialized (
      select article_id as id, (${rateWords(search, options)})
        * (1 + ${RECENCY} / (1 + extract(epoch from ${until} - published_at) / ${YEAR_SECONDS}))::float8 as rank
      from search_entries where article_id in
        (select article_id from anywhere union select article_id from named union select article_id from titled)
    ),
    page as materialized (
      select articles.id, ranked.rank from (select * from ranked ${behind}) ranked
      join articles on articles.id = ranked.id join users on users.id = articles.author_id
      where ${isListed} and ${maySearch} and ${tag === null ? sql`true` : sql`${tag} = any(articles.tags)`}
      order by ranked.rank desc, ranked.id desc limit ${limit}
    )
    select ${CARD_COLUMNS}, left(articles.derived ->> 'plainText', ${MAX_TEXT}) as text, page.rank,
      (select (extract(epoch from min(published_at)) * 1000000)::bigint from anywhere having count(*) >= ${MOST_ANYWHERE}) as window_from
    from page join articles on articles.id = page.id join users on users.id = articles.author_id
    order by page.rank desc, page.id desc`;
}

/**
 * How well an article meets a search, between 0.001 and 4. Its weightiest place counts for each word, others ever less: sixty times in the text
 * are not once in the title. Then how close to each other the words stand, and whether title and tags have all of them.
 */
function rateWords({ terms }: Search, options: QueryOptions): RawBuilder<number> {
  return sql<number>`0.001 + ts_rank(words, ${buildRanking(terms, options, 'any')})
    + ${WORTH_OF_CLOSENESS} * ts_rank_cd(words, ${buildRanking(terms, options, 'all')}, ${BELOW_ONE})
    + case when words @@ ${asQuery(buildTitled(terms))} then ${WORTH_OF_TITLE}
        when words @@ ${asQuery(buildNamed(terms, options))} then ${WORTH_OF_NAMES} else 0 end`;
}

const WORTH_OF_CLOSENESS = sql.lit(0.2);
/** More than all the rest, however new: who types a title wants that article. */
const WORTH_OF_TITLE = sql.lit(2.5);
const WORTH_OF_NAMES = sql.lit(0.5);
/** Of `ts_rank_cd`: by the logarithm of the length, since a long text has every word sooner or later; and n / (n + 1). */
const BELOW_ONE = 1 | 32;
/** What was published just now ranks half as high again as what is very old. */
const RECENCY = sql.lit(0.5);
const YEAR_SECONDS = sql.lit(365 * 86_400);

function getUntil({ after, now }: Search): number {
  return after?.until ?? now.getTime() * 1_000;
}
