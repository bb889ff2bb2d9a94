/** Loads an article in the form that destinations receive. */
import { sql } from 'kysely';
import { buildArticleUrl } from '../../article/identity/slug.ts';
import type { DeliverableArticle } from '../../article/types.ts';
import { prepareOnce, type RowOf } from '../db/prepared.ts';

type Row = RowOf<ReturnType<typeof selectDeliverable>>;

export function readDeliverable(
  { givenCanonicalUrl, revision: _, ...article }: Row,
  baseUrl: string,
): DeliverableArticle {
  return { ...article, canonicalUrl: givenCanonicalUrl ?? buildArticleUrl(baseUrl, article.slug) };
}

/** Read together with the delivery's row. Equal `revision`s prove that both are of one moment. */
export const selectDeliverable = prepareOnce('load_deliverable', (db, { articleId }: { articleId: string }) =>
  db
    .selectFrom('articles')
    .select(['id', 'slug', 'title', 'subtitle', 'tags', 'givenCanonicalUrl', 'coverImage', 'generateToc'])
    .select(['commentsEnabled', 'body', 'revision'])
    .select(sql<string>`coalesce(derived ->> 'excerpt', '')`.as('excerpt'))
    .where('id', '=', articleId)
    .compile(),
);
