/** What readers and agents find at a slug: an article, the note that it was withdrawn, its new address, or nothing. */
import type { StoredArticle } from '../../article/discovery/stored-article.ts';
import { buildArticleUrl } from '../../article/identity/slug.ts';
import type { DerivedArticle } from '../../article/types.ts';
import { type ArticlePage, findArticleBySlug, findRedirect } from '../../store/articles/find-for-readers.ts';
import type { ApiDeps } from '../deps.ts';
import { provideDerived } from './provide-derived.ts';

export type ArticleAtSlug =
  | { kind: 'article'; article: StoredArticle; generateToc: boolean; isOldestCanonical: boolean }
  /** It was public and is a draft now: 410, where one that never was public is a 404. */
  | { kind: 'withdrawn' }
  | { kind: 'moved'; slug: string }
  | { kind: 'nothing' };

export type ReadingDeps = Pick<ApiDeps, 'db' | 'documents' | 'config'>;

export async function findArticle(deps: ReadingDeps, slug: string): Promise<ArticleAtSlug> {
  const { db, documents, config } = deps;
  const { baseUrl } = config;
  const row = await findArticleBySlug(db, slug);
  if (row?.status === 'PUBLISHED') {
    const { generateToc, oldestCanonical: isOldestCanonical } = row;
    const derived = await provideDerived({ db, documents, baseUrl }, row);
    return { kind: 'article', article: toStoredArticle(row, derived, baseUrl), generateToc, isOldestCanonical };
  }
  if (row) return { kind: row.publishedAt === null ? 'nothing' : 'withdrawn' };
  const moved = await findRedirect(db, slug);
  if (!moved) return { kind: 'nothing' };
  // The new address of what is not public now is nobody's business.
  return moved.status === 'PUBLISHED' ? { kind: 'moved', slug: moved.slug } : { kind: 'withdrawn' };
}

/** In the form that `article/` takes, with this site's addresses filled in. */
function toStoredArticle(row: ArticlePage, derived: DerivedArticle, baseUrl: string): StoredArticle {
  const url = buildArticleUrl(baseUrl, row.slug);
  return {
    slug: row.slug,
    url,
    canonicalUrl: row.givenCanonicalUrl ?? url,
    title: row.title,
    subtitle: row.subtitle,
    tags: row.tags,
    category: row.category,
    author: {
      name: row.authorName,
      username: row.authorUsername,
      url: `${baseUrl}/authors/${row.authorUsername}`,
      isTrusted: row.authorTrusted,
      sameAs: row.authorLinks,
    },
    publishedAt: row.publishedAt ?? row.updatedAt,
    updatedAt: row.updatedAt,
    derived,
    coverImage: row.coverImage,
  };
}
