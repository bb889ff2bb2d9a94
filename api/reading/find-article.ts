/** What readers and agents find at a slug: an article, the note that it was withdrawn, its new address, or nothing. */
import { describeBriefly } from '../../article/describe/describe-briefly.ts';
import { joinContentSignals, readStoredSignal } from '../../article/discovery/content-signal.ts';
import type { StoredArticle } from '../../article/discovery/stored-article.ts';
import { buildArticleUrl } from '../../article/identity/slug.ts';
import type { DerivedArticle } from '../../article/types.ts';
import { type ArticlePage, findRedirect } from '../../store/articles/find-for-readers.ts';
import type { ApiDeps } from '../deps.ts';
import { findDerived, isDerived } from './find-derived.ts';

export type ArticleAtSlug =
  | ({ kind: 'article' } & FoundArticle)
  /** It was public and is a draft now: 410, where one that never was public is a 404. */
  | { kind: 'withdrawn' }
  | { kind: 'moved'; slug: string; articleId: string }
  | { kind: 'nothing' };

export interface FoundArticle {
  articleId: string;
  article: StoredArticle;
  generateToc: boolean;
  isOldestCanonical: boolean;
  /** Of what is shown: later than the article's own change where that was derived afterwards. Null for what will change by itself. */
  lastModified: Date | null;
}

export type ReadingDeps = Pick<ApiDeps, 'db' | 'documents' | 'config' | 'log'>;

export async function findArticle({ db, documents, config, log }: ReadingDeps, slug: string): Promise<ArticleAtSlug> {
  const { baseUrl } = config;
  const row = await findDerived({ db, documents, baseUrl, log }, slug);
  if (row?.status === 'PUBLISHED') {
    const { generateToc, oldestCanonical: isOldestCanonical } = row;
    const derived = isDerived(row) ? row.derived : describeBriefly(row, row.derived);
    const lastModified = isDerived(row)
      ? new Date(Math.max(row.updatedAt.getTime(), row.derivedAt?.getTime() ?? 0))
      : null;
    const article = toStoredArticle(row, derived, config);
    return { kind: 'article', articleId: row.id, article, generateToc, isOldestCanonical, lastModified };
  }
  if (row) return { kind: row.publishedAt === null ? 'nothing' : 'withdrawn' };
  const moved = await findRedirect(db, slug);
  if (!moved) return { kind: 'nothing' };
  // The new address of what is not public now is nobody's business.
  return moved.status === 'PUBLISHED'
    ? { kind: 'moved', slug: moved.slug, articleId: moved.id }
    : { kind: 'withdrawn' };
}

type Site = Pick<ReadingDeps['config'], 'baseUrl' | 'contentSignal'>;

/** In the form that `article/` takes, with this site's addresses filled in. */
function toStoredArticle(row: ArticlePage, derived: DerivedArticle, site: Site): StoredArticle {
  const { baseUrl } = site;
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
    contentSignal: joinContentSignals(
      site.contentSignal,
      readStoredSignal(row.authorSignal),
      readStoredSignal(row.contentSignal),
    ),
  };
}
