/** The article as destinations get it. */
import { type Kysely, sql } from 'kysely';
import { buildArticleUrl } from '../../article/identity/slug.ts';
import type { DeliverableArticle } from '../../article/types.ts';
import { prepareOnce, runPrepared } from '../db/prepared.ts';
import type { DB } from '../db/types.ts';

export async function loadDeliverable(
  db: Kysely<DB>,
  articleId: string,
  baseUrl: string,
): Promise<DeliverableArticle | null> {
  const [row] = (await runPrepared(db, select(db, { articleId }))).rows;
  if (!row) return null;
  const { givenCanonicalUrl, ...article } = row;
  return { ...article, canonicalUrl: givenCanonicalUrl ?? buildArticleUrl(baseUrl, row.slug) };
}

const select = prepareOnce('load_deliverable', (db, { articleId }: { articleId: string }) =>
  db
    .selectFrom('articles')
    .select(['id', 'slug', 'title', 'subtitle', 'tags', 'givenCanonicalUrl', 'coverImage', 'generateToc'])
    .select(['commentsEnabled', 'body'])
    .select(sql<string>`coalesce(derived ->> 'excerpt', '')`.as('excerpt'))
    .where('id', '=', articleId)
    .compile(),
);
