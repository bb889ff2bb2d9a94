/** Finds the article that publishing a document would update. Writes nothing. */
import type { ArticleStatus } from '../../../article/types.ts';
import type { Database } from '../../db/database.ts';
import type { ExpectedArticle } from './expected-article.ts';
import { findExisting, type SearchedArticle } from './find-existing.ts';

export interface MatchedArticle extends ExpectedArticle {
  title: string;
  slug: string;
  status: ArticleStatus;
}

/** Null if the publish would create an article. */
export async function findMatchedArticle(db: Database, article: SearchedArticle): Promise<MatchedArticle | null> {
  const existing = await findExisting(db, article);
  if (existing === null) return null;
  const { id, slug, status } = existing;
  const { title } = await db.selectFrom('articles').select('title').where('id', '=', id).executeTakeFirstOrThrow();
  return { id, slug, status, title, fingerprint: existing.fingerprint.toString('hex') };
}
