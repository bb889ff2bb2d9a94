/**
 * What an author decides about a whole article outside of a publish: now, later, not, never. Like a publish, each stands in line behind the
 * author's row, and so does the firing of a schedule: whichever comes first is done, and the other one sees it.
 */
import type { Transaction } from 'kysely';
import type { ArticleStatus } from '../../article/types.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { enqueueArticle } from '../outbox/enqueue.ts';
import { noteScheduledDestinations } from './schedule.ts';

export interface ArticleLeverTarget {
  authorId: string;
  articleId: string;
  now: Date;
}

/** Why it cannot be done; nothing was changed. */
export class ArticleLeverError extends Error {
  override name = 'ArticleLeverError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Makes a draft or a scheduled article public at once; on a public one it changes nothing. */
export function publishNow(db: Database, target: ArticleLeverTarget): Promise<void> {
  return pull(db, target, async (tx, article) => {
    if (article.deletedAt !== null) throw deleted();
    if (article.status === 'PUBLISHED') return false;
    requireActive(article);
    const publishedAt = article.publishedAt ?? target.now;
    await setState(tx, target, { status: 'PUBLISHED', scheduledAt: null, publishedAt });
    return true;
  });
}

/** Sets or moves the time. What is public stays public: a reader may have been there. */
export function scheduleArticle(
  db: Database,
  target: ArticleLeverTarget,
  schedule: { at: Date; zone: string | null },
): Promise<void> {
  return pull(db, target, async (tx, article) => {
    if (article.deletedAt !== null) throw deleted();
    if (article.status === 'PUBLISHED') {
      const message = 'The article is public already and stays public. Unpublish it first, if that is what you want.';
      throw new ArticleLeverError('ALREADY_PUBLIC', message);
    }
    requireActive(article);
    if (schedule.at <= target.now) {
      throw new ArticleLeverError(
        'IN_THE_PAST',
        `${schedule.at.toISOString()} is in the past. Publish it now instead.`,
      );
    }
    const { publishedAt } = article;
    await setState(tx, target, { status: 'SCHEDULED', scheduledAt: schedule.at, publishedAt });
    await noteScheduledDestinations(tx, target.articleId, schedule.zone);
    return true;
  });
}

/** Back to a draft: a schedule is cancelled, remote copies are withdrawn as far as the platforms can. */
export function unpublishArticle(db: Database, target: ArticleLeverTarget): Promise<void> {
  return pull(db, target, async (tx, article) => {
    if (article.status === 'DRAFT') return false;
    await setState(tx, target, { status: 'DRAFT', scheduledAt: null, publishedAt: article.publishedAt });
    return true;
  });
}

/**
 * Unpublishes and forgets the text. The row stays, so that its address answers 410, remote copies can be withdrawn, and publishing the same
 * document again brings the article back instead of doubling what platforms only hide.
 */
export function deleteArticle(db: Database, target: ArticleLeverTarget): Promise<void> {
  return pull(db, target, async (tx, article) => {
    if (article.deletedAt !== null) return false;
    await setState(tx, target, { status: 'DRAFT', scheduledAt: null, publishedAt: article.publishedAt });
    await tx
      .updateTable('articles')
      .set({
        deletedAt: target.now,
        source: '',
        body: '',
        derived: '{}',
        contentHash: '',
        excerpt: null,
        subtitle: null,
        coverImage: null,
        category: null,
        tags: [],
      })
      .where('id', '=', target.articleId)
      .execute();
    return true;
  });
}

async function setState(
  tx: Transaction<DB>,
  { articleId, now }: ArticleLeverTarget,
  state: { status: ArticleStatus; scheduledAt: Date | null; publishedAt: Date | null },
): Promise<void> {
  await tx
    .updateTable('articles')
    .set((eb) => ({
      ...state,
      revision: eb('revision', '+', 1),
      dispatch: eb('dispatch', '+', 1),
      dispatchedAt: now,
      updatedAt: now,
      // The document as last sent is no longer what the article is: sending it again is a change.
      fingerprint: Buffer.alloc(0),
    }))
    .where('id', '=', articleId)
    .execute();
}

type LeverArticle = NonNullable<Awaited<ReturnType<typeof lockOwnArticle>>>;

function pull(
  db: Database,
  target: ArticleLeverTarget,
  change: (tx: Transaction<DB>, article: LeverArticle) => Promise<boolean>,
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const article = await lockOwnArticle(tx, target);
    if (!article) throw new ArticleLeverError('NOT_FOUND', 'There is no such article among yours.');
    if (await change(tx, article)) await enqueueArticle(tx, target.articleId);
  });
}

async function lockOwnArticle(tx: Transaction<DB>, { authorId, articleId }: ArticleLeverTarget) {
  // The author's row first, as a publish does: the state that is read next is the one that is changed.
  const author = await tx
    .selectFrom('users')
    .select('suspendedAt')
    .where('id', '=', authorId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  const article = await tx
    .selectFrom('articles')
    .select(['status', 'publishedAt', 'deletedAt'])
    .where('id', '=', articleId)
    .where('authorId', '=', authorId)
    .executeTakeFirst();
  return article && author && { ...article, ...author };
}

/** A suspended author may take back, and make nothing public. */
function requireActive({ suspendedAt }: LeverArticle): void {
  if (suspendedAt !== null) throw new ArticleLeverError('SUSPENDED', 'This account is suspended.');
}

function deleted(): ArticleLeverError {
  return new ArticleLeverError('DELETED', 'The article was deleted; publish its document again to bring it back.');
}
