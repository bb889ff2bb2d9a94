/**
 * Work derived from an article after its publish. A publish sets `derivedVersion` to 0. A result is
 * saved only if the row is still the one that was read, so the work can be repeated or interrupted
 * at any time.
 */
import { sql } from 'kysely';
import { DERIVED_VERSION } from '../../article/derived-version.ts';
import { writeKey } from '../../article/search/keys.ts';
import type { SearchText } from '../../article/search/search-text.ts';
import type { ArticleDraft, DerivedArticle, RenderedArticle } from '../../article/types.ts';
import type { Database } from '../db/database.ts';
import { NOW } from '../db/now.ts';

export interface UnderivedArticle {
  id: string;
  revision: number;
  draft: ArticleDraft;
  /** The rendering from the publish, served until the derived one is saved. */
  rendered: RenderedArticle;
}

/** Ids of non-draft articles to derive with this version, new ones first, minus `except`. */
export async function listUnderived(db: Database, { limit, except }: { limit: number; except: readonly string[] }) {
  const rows = await db
    .selectFrom('articles')
    .select('id')
    .where('derivedVersion', '<', DERIVED_VERSION)
    .where('status', '<>', 'DRAFT')
    .$if(except.length > 0, (query) => query.where('id', 'not in', except))
    .orderBy('derivedVersion')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Null if the article is already derived, or is a draft, which has no readers. */
export async function loadUnderived(db: Database, articleId: string): Promise<UnderivedArticle | null> {
  const row = await db
    .selectFrom('articles')
    .select(['id', 'revision', 'derived', 'title', 'subtitle', 'excerpt', 'tags', 'givenCanonicalUrl', 'baseUrl'])
    .select([
      'category',
      'coverImage',
      'language',
      'contentSignal',
      'generateToc',
      'commentsEnabled',
      'crossPost',
      'externalId',
      'givenSlug',
    ])
    .select(['seriesId', 'status', 'scheduledAt', 'scheduledZone', 'body'])
    .where('id', '=', articleId)
    .where('derivedVersion', '<', DERIVED_VERSION)
    .where('status', '<>', 'DRAFT')
    .executeTakeFirst();
  if (!row) return null;
  const { id, revision, derived: rendered, givenCanonicalUrl: canonicalUrl, givenSlug: slug, ...fields } = row;
  const unknown = { isTitleFromFileName: false, crossPostNamed: [] };
  return { id, revision, rendered, draft: { ...fields, ...unknown, canonicalUrl, slug } };
}

/** Saves result and search words; false if the article changed or a newer version derived it. */
export async function saveDerived(
  db: Database,
  { id, revision }: UnderivedArticle,
  derived: DerivedArticle,
  searchText: SearchText,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .with('kept', (cte) =>
      cte
        .updateTable('articles')
        .set({ derived: JSON.stringify(derived), derivedVersion: DERIVED_VERSION })
        .set({ derivedAt: NOW })
        .where('id', '=', id)
        .where('revision', '=', revision)
        .where('derivedVersion', '<', DERIVED_VERSION)
        .where('status', '<>', 'DRAFT')
        .returning(['id', 'authorId', sql<Date | null>`search_time(articles)`.as('searchTime')]),
    )
    .insertInto('searchEntries')
    .columns(['articleId', 'authorId', 'rules', 'publishedAt', 'words'])
    .expression((eb) =>
      eb
        .selectFrom('kept')
        .select([
          'id',
          'authorId',
          sql<string>`${searchText.rules}::text`.as('rules'),
          'searchTime',
          buildWords(searchText).as('words'),
        ]),
    )
    .onConflict((conflict) =>
      conflict.column('articleId').doUpdateSet(({ ref }) => ({
        rules: ref('excluded.rules'),
        publishedAt: ref('excluded.publishedAt'),
        words: ref('excluded.words'),
      })),
    )
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Needs `author_id`. The heaviest part comes first: the end of a long text gets no position. */
export function buildWords({ rules, title, labels, summary, body, lexemes }: SearchText) {
  const vector = (words: string, weight: string) =>
    sql`setweight(to_tsvector(${rules}::regconfig, ${words}), ${weight})`;
  return sql<string>`${vector(title, 'A')} || ${vector(labels, 'B')} || ${vector(summary, 'C')} || ${vector(body, 'D')}
    || array_to_tsvector(array_append(${lexemes}::text[], ${writeKey('author', '')} || author_id))`;
}
