/** Resolves a slug to an article, a withdrawn article, a new address, or nothing. */
import { describeBriefly } from '../../../article/describe/describe-briefly.ts';
import { buildAuthorUrl } from '../../../article/discovery/addresses.ts';
import { decideContentSignal } from '../../../article/discovery/content-signal.ts';
import type { StoredArticle } from '../../../article/discovery/stored-article.ts';
import { buildArticleUrl } from '../../../article/identity/slug.ts';
import type { DerivedArticle } from '../../../article/types.ts';
import { type ArticleWithAuthor, findAddress, findArticleBySlug } from '../../../store/articles/find-for-readers.ts';
import type { CommentedArticle } from '../../../store/comments/open-comments.ts';
import type { ApiDeps } from '../../deps.ts';
import { findDerived, isDerived } from './find-derived.ts';

export type ArticleAtSlug =
  | ({ kind: 'article' } & FoundArticle)
  /** Served as 410: an article was public at this address. */
  | { kind: 'withdrawn' }
  | { kind: 'moved'; slug: string; articleId: string }
  | { kind: 'nothing' };

export interface FoundArticle {
  articleId: string;
  article: StoredArticle;
  /** Shown beside the text. */
  profile: { bio: string | null; pictureUrl: string | null };
  generateToc: boolean;
  comments: CommentedArticle;
  /** True for a published canonical article. Only those have documents for agents. */
  isCanonical: boolean;
  /** Latest change of the article, its derived data or its author. Null until it is derived. */
  lastModified: Date | null;
}

export type FindArticleDeps = Pick<ApiDeps, 'db' | 'documents' | 'config' | 'log'>;

/**
 * `whenUnderived` applies to an article without derived data: `derive` waits until it is derived,
 * `show` returns the stored article with a brief description. Deriving it later counts as a change.
 */
export async function findArticle(
  deps: FindArticleDeps,
  slug: string,
  { whenUnderived }: { whenUnderived: 'derive' | 'show' } = { whenUnderived: 'derive' },
): Promise<ArticleAtSlug> {
  const address = await findAddress(deps.db, slug);
  if (!address) return { kind: 'nothing' };
  // Does not reveal the new address of an article that is no longer public.
  if (!address.isPublic) return { kind: 'withdrawn' };
  if (address.slug !== slug) return { kind: 'moved', slug: address.slug, articleId: address.articleId };
  const { config } = deps;
  const { baseUrl } = config;
  const row =
    whenUnderived === 'show' ? await findArticleBySlug(deps.db, slug) : await findDerived({ ...deps, baseUrl }, slug);
  // The article may have been withdrawn or moved since the query above.
  if (!row) return { kind: 'nothing' };
  if (row.status !== 'PUBLISHED' || row.authorSuspendedAt !== null) return { kind: 'withdrawn' };
  const { generateToc, isCanonical, commentsEnabled, commentsLockedAt } = row;
  const derived = isDerived(row) ? row.derived : describeBriefly(row, row.derived);
  const article = toStoredArticle(row, derived, config);
  return {
    kind: 'article',
    articleId: row.id,
    article,
    profile: { bio: row.authorBio, pictureUrl: row.authorPicture },
    generateToc,
    comments: { commentsEnabled, commentsLockedAt },
    isCanonical,
    lastModified: getLastModified(row),
  };
}

function getLastModified(row: ArticleWithAuthor): Date | null {
  if (!isDerived(row)) return null;
  const { updatedAt, derivedAt, authorShownAt } = row;
  return new Date(Math.max(updatedAt.getTime(), derivedAt?.getTime() ?? 0, authorShownAt?.getTime() ?? 0));
}

type Site = Pick<FindArticleDeps['config'], 'baseUrl' | 'contentSignal'>;

/** Converts a row to the input type of `article/`, with the addresses of this site. */
function toStoredArticle(row: ArticleWithAuthor, derived: DerivedArticle, site: Site): StoredArticle {
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
      url: buildAuthorUrl(baseUrl, row.authorUsername),
      isTrusted: row.authorTrusted,
      sameAs: row.authorLinks,
    },
    publishedAt: row.publishedAt ?? row.updatedAt,
    updatedAt: row.updatedAt,
    derived,
    coverImage: row.coverImage,
    contentSignal: decideContentSignal(site.contentSignal, row),
  };
}
