/** Resolves a slug to an article with its derived data, a withdrawn article, a new address, or nothing. */
import type { FastifyBaseLogger } from 'fastify';
import { describeBriefly } from '../../../article/describe/describe-briefly.ts';
import { buildAuthorUrl } from '../../../article/discovery/addresses.ts';
import { decideContentSignal } from '../../../article/discovery/content-signal.ts';
import type { StoredArticle } from '../../../article/discovery/stored-article.ts';
import { buildArticleUrl } from '../../../article/identity/slug.ts';
import type { DerivedArticle } from '../../../article/types.ts';
import { type ArticleWithAuthor, findAddress, findArticleBySlug } from '../../../store/articles/find-for-readers.ts';
import type { CommentedArticle } from '../../../store/comments/open-comments.ts';
import { isDatabaseUnavailable } from '../../../store/db/pg-errors.ts';
import type { ApiDeps } from '../../deps.ts';
import { type DeriveDeps, deriveStoredArticle } from '../../documents/derive-stored.ts';
import { type DocumentPool, DocumentsBusyError } from '../../documents/pool.ts';

/** The pool runs one job per owner, so readers occupy at most one thread. */
const OWNER = 'readers';
/** The deriver, which has a longer time limit, usually succeeds before this. */
const RETRY_AFTER_MS = 60_000;

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
  const { slug, title, subtitle, tags, category, coverImage, updatedAt, authorUsername: username } = row;
  const url = buildArticleUrl(site.baseUrl, slug);
  return {
    ...{ slug, url, title, subtitle, tags, category, coverImage, updatedAt, derived },
    canonicalUrl: row.givenCanonicalUrl ?? url,
    author: {
      ...{ username, name: row.authorName, isTrusted: row.authorTrusted, sameAs: row.authorLinks },
      url: buildAuthorUrl(site.baseUrl, username),
    },
    publishedAt: row.publishedAt ?? updatedAt,
    contentSignal: decideContentSignal(site.contentSignal, row),
  };
}

/**
 * Finds the article at a slug in any state. After deriving, the row is read again: the author may
 * have changed or unpublished the article meanwhile, and a page must show one consistent state.
 */
async function findDerived(
  deps: DeriveDeps & { log: FastifyBaseLogger },
  slug: string,
): Promise<ArticleWithAuthor | undefined> {
  for (let remainingTries = 2; ; remainingTries--) {
    const row = await findArticleBySlug(deps.db, slug);
    if (row?.status !== 'PUBLISHED' || isDerived(row) || remainingTries === 0) return row;
    if (!(await deriveOnce(deps, row.id))) remainingTries = 1;
  }
}

/** Data of an older renderer version counts as derived; the deriver replaces it later. */
function isDerived(row: ArticleWithAuthor): row is ArticleWithAuthor & { derived: DerivedArticle } {
  return row.derivedVersion > 0;
}

const inProgress = new WeakMap<DocumentPool, Map<string, Promise<boolean>>>();

/** Concurrent requests share one run per article. Resolves to false if a retry would fail too. */
function deriveOnce({ log, ...deps }: Parameters<typeof findDerived>[0], articleId: string): Promise<boolean> {
  const { documents } = deps;
  const runs = inProgress.get(documents) ?? new Map<string, Promise<boolean>>();
  inProgress.set(documents, runs);
  const running = runs.get(articleId);
  if (running) return running;
  const removeRun = () => runs.delete(articleId);
  const derived = deriveStoredArticle(deps, { owner: OWNER, articleId, whenTooComplex: 'leave' }).then(
    () => {
      removeRun();
      return true;
    },
    (error: unknown) => {
      if (error instanceof DocumentsBusyError || isDatabaseUnavailable(error)) removeRun();
      else setTimeout(removeRun, RETRY_AFTER_MS).unref();
      if (isDatabaseUnavailable(error)) throw error;
      log.warn(
        { err: error, articleId },
        'cannot render an article for its reader; showing it as its publish stored it',
      );
      return false;
    },
  );
  runs.set(articleId, derived);
  return derived;
}
