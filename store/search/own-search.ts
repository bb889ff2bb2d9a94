/** Searches an author's own articles in any state. All words or word prefixes must occur. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { buildTitleKey } from '../../article/identity/match.ts';
import { parseSearch, type SearchTerm } from '../../article/search/parse-search.ts';
import type { DB } from '../db/types.ts';
import { asQuery, buildMatchQuery } from './build-query.ts';
import { stemTerms } from './stem-terms.ts';

/** Characters that are searched in the text of an article without search words. */
const MAX_TEXT_LENGTH = 200_000;

/**
 * A condition on a row of `articles`. Drafts and new articles have no search words yet, so their
 * text is searched instead, also within words. Titles are always searched within words (京 in 東京).
 */
export async function buildOwnSearch(db: Kysely<DB>, text: string): Promise<RawBuilder<boolean>> {
  const terms = parseSearch(text);
  if (terms.length === 0) return sql<boolean>`false`;
  const match = asQuery(
    buildMatchQuery(terms, { languageStems: await stemTerms(db, terms), prefixWords: 'every word' }),
  );
  return sql<boolean>`(case when derived_version > 0
    then coalesce((select words @@ ${match} from search_entries where article_id = articles.id), ${isWithin(terms)})
    else ${isWithin(terms)} end
    or strpos(title_key, ${buildTitleKey(text)}) > 0)`;
}

function isWithin(terms: readonly SearchTerm[]): RawBuilder<boolean> {
  const each = terms.map(({ typed, isNegative }) =>
    isNegative
      ? sql<boolean>`strpos(looked.through, ${typed}) = 0`
      : sql<boolean>`strpos(looked.through, ${typed}) > 0`,
  );
  return sql<boolean>`(select ${sql.join(each, sql` and `)} from (select concat_ws(' ', title_key, lower(subtitle),
    lower(array_to_string(tags, ' ')), lower(left(body, ${MAX_TEXT_LENGTH}))) as through) looked)`;
}
