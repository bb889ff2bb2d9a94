/**
 * Searches the public articles, best first. Common words match every article, so not all are
 * ranked: only the newest with the words anywhere, the newest with them in title or tags, and those
 * with them as their title. The index finds these without reading articles.
 */
import { type RawBuilder, sql } from 'kysely';
import { buildTagKey, writeKey } from '../../article/search/keys.ts';
import type { SearchTerm } from '../../article/search/parse-search.ts';
import { MAX_SNIPPET_TEXT_LENGTH } from '../../article/search/snippet.ts';
import type { Database } from '../db/database.ts';
import { isListed, isUnsearched, maySearch, readMicros } from '../lists/article-list.ts';
import { type ArticleCard, CARD_COLUMNS, type CardFilter } from '../lists/list-articles.ts';
import {
  asQuery,
  buildExactTitleQuery,
  buildMatchQuery,
  buildRanking,
  buildTitleAndTagsQuery,
  joinAll,
  type QueryOptions,
  quoteLexeme,
} from './build-query.ts';
import { type LanguageStems, stemTerms } from './stem-terms.ts';

/** Limits ranking, which reads an article's words in some 50 µs. */
const MAX_ANYWHERE = 1_000;
const MAX_NAMED = 500;
const MAX_TITLED = 100;
/** Factor for later pages: articles that became findable meanwhile must not displace others. */
const LATER_PAGE_FACTOR = 2;
const STATEMENT_TIMEOUT_MS = 3_000;

/**
 * A cursor; times are microseconds since 1970. All pages of a search rank one window: from the
 * oldest article ranked at first until the first request. Articles published later do not shift
 * results.
 */
export interface SearchPosition {
  /** `from` is null if all matches were ranked. */
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
  /** Must not be empty. */
  terms: readonly SearchTerm[];
  limit: number;
  after: SearchPosition | null;
  now: Date;
}

export function searchArticles(db: Database, search: Search): Promise<FoundArticle[]> {
  return db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = ${sql.lit(STATEMENT_TIMEOUT_MS)}`.execute(tx);
    // Words are stored outside the row, which the planner ignores: it would scan all rows.
    await sql`set local enable_seqscan = off`.execute(tx);
    const languageStems = await stemTerms(tx, search.terms);
    const { rows } = await buildStatement(search, languageStems).execute(tx);
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

/** Exported so that a test can check its plan. */
export function buildStatement(search: Search, languageStems: readonly LanguageStems[]) {
  const { terms, authorId, tag, limit, after } = search;
  const options = { languageStems, prefixWords: 'last word' } as const;
  const match = joinAll([
    buildMatchQuery(terms, options),
    ...(tag === null ? [] : [quoteLexeme(buildTagKey(tag))]),
    ...(authorId === null ? [] : [quoteLexeme(writeKey('author', authorId))]),
  ]);
  const [namedQuery, titledQuery] = [buildTitleAndTagsQuery(terms, options), buildExactTitleQuery(terms)];
  const until = readMicros(getUntil(search));
  const since = after?.from == null ? sql`` : sql`and published_at >= ${readMicros(after.from)}`;
  const factor = after === null ? 1 : LATER_PAGE_FACTOR;
  const newest = (
    query: string,
    since: RawBuilder<unknown>,
    maxRows: number,
  ) => sql`select article_id, published_at from search_entries
    where words @@ ${asQuery(query)} and published_at is not null and published_at <= ${until} ${since}
      and author_id not in (select id from users where ${isUnsearched})
    order by published_at desc, article_id desc limit ${maxRows * factor}`;
  const afterCursor = after === null ? sql`` : sql`where (rank, id) < (${after.rank}::float8, ${after.id}::uuid)`;
  return sql<RankedRow>`
    with anywhere as materialized (${newest(match, since, MAX_ANYWHERE)}),
    named as materialized (${newest(joinAll([match, namedQuery]), sql``, MAX_NAMED)}),
    titled as materialized (${newest(joinAll([match, titledQuery]), sql``, MAX_TITLED)}),
    ranked as materialized (
      select article_id as id, (${rateWords(search, options)})
        * (1 + ${RECENCY} / (1 + extract(epoch from ${until} - published_at) / ${YEAR_SECONDS}))::float8 as rank
      from search_entries where article_id in
        (select article_id from anywhere union select article_id from named union select article_id from titled)
    ),
    page as materialized (
      select articles.id, ranked.rank from (select * from ranked ${afterCursor}) ranked
      join articles on articles.id = ranked.id join users on users.id = articles.author_id
      where ${isListed} and ${maySearch} and ${tag === null ? sql`true` : sql`${tag} = any(articles.tags)`}
      order by ranked.rank desc, ranked.id desc limit ${limit}
    )
    select ${CARD_COLUMNS}, left(articles.derived ->> 'plainText', ${MAX_SNIPPET_TEXT_LENGTH}) as text, page.rank,
      (select (extract(epoch from min(published_at)) * 1000000)::bigint from anywhere having count(*) >= ${MAX_ANYWHERE}) as window_from
    from page join articles on articles.id = page.id join users on users.id = articles.author_id
    order by page.rank desc, page.id desc`;
}

/**
 * Rates the words between 0.001 and 4: by the occurrence of each word with the highest weight,
 * while further occurrences count less and less (sixty in the text count less than one in the
 * title); by the distance of the words; and for a match of all words in title and tags.
 */
function rateWords({ terms }: Search, options: QueryOptions): RawBuilder<number> {
  return sql<number>`0.001 + ts_rank(words, ${buildRanking(terms, options, 'any')})
    + ${CLOSENESS_WEIGHT} * ts_rank_cd(words, ${buildRanking(terms, options, 'all')}, ${RANK_NORMALIZATION})
    + case when words @@ ${asQuery(buildExactTitleQuery(terms))} then ${TITLE_WEIGHT}
        when words @@ ${asQuery(buildTitleAndTagsQuery(terms, options))} then ${NAMES_WEIGHT} else 0 end`;
}

const CLOSENESS_WEIGHT = sql.lit(0.2);
/** Outweighs everything else: somebody who types a title wants that article. */
const TITLE_WEIGHT = sql.lit(2.5);
const NAMES_WEIGHT = sql.lit(0.5);
/** Normalisation of `ts_rank_cd`: by the logarithm of the length (1), and n / (n + 1) (32). */
const RANK_NORMALIZATION = 1 | 32;
/** A new article ranks up to 1.5 times as high as a very old one. */
const RECENCY = sql.lit(0.5);
const YEAR_SECONDS = sql.lit(365 * 86_400);

function getUntil({ after, now }: Search): number {
  return after?.until ?? now.getTime() * 1_000;
}
