/**
 * An author's commands for a whole article: publish it now, schedule, unpublish or delete it. Like a publish and the firing of a schedule,
 * each locks the author's row first: whichever comes first is done, and the other one sees what it did.
 */
import { sql, type Transaction } from 'kysely';
import type { ArticleStatus } from '../../article/types.ts';
import { createSuspendedError, RefusedCommandError } from '../commands/refused-command.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { enqueueArticle } from '../outbox/enqueue.ts';
import { NO_TEXT } from './erase-articles.ts';
import { renewFingerprint } from './publish/fingerprint.ts';
import { countStoredBytes } from './publish/storage.ts';
import { type GivenTime, noteSchedule } from './schedules/schedule.ts';

export interface ArticleTarget {
  authorId: string;
  articleId: string;
  now: Date;
}

/** Makes a draft or a scheduled article public at once; does nothing to a public one. */
export function publishNow(db: Database, target: ArticleTarget): Promise<void> {
  return run(db, target, async (tx, article) => {
    if (article.deletedAt !== null) throw createDeletedError();
    if (article.status === 'PUBLISHED') return false;
    requireActive(article);
    const publishedAt = article.publishedAt ?? target.now;
    await setState(tx, target, { status: 'PUBLISHED', scheduledAt: null, publishedAt });
    return true;
  });
}

/** Sets or moves the time. A public article stays public: readers may have its address. */
export function scheduleArticle(db: Database, target: ArticleTarget, schedule: GivenTime): Promise<void> {
  return run(db, target, async (tx, article) => {
    if (article.deletedAt !== null) throw createDeletedError();
    if (article.status === 'PUBLISHED') {
      const message = 'The article is public already and stays public. Unpublish it first, if that is what you want.';
      throw new RefusedCommandError('ALREADY_PUBLIC', message);
    }
    requireActive(article);
    if (schedule.at <= target.now) {
      throw new RefusedCommandError(
        'IN_THE_PAST',
        `${schedule.at.toISOString()} is in the past. Publish it now instead.`,
      );
    }
    const { publishedAt } = article;
    await setState(tx, target, { status: 'SCHEDULED', scheduledAt: schedule.at, publishedAt });
    await noteSchedule(tx, target.articleId, schedule);
    return true;
  });
}

/** Makes a scheduled article a draft. One whose time came meanwhile stays public: taking it back is something else, and takes its copies back too. */
export function cancelSchedule(db: Database, target: ArticleTarget): Promise<void> {
  return run(db, target, async (tx, article) => {
    if (article.status === 'PUBLISHED') {
      const message =
        'Its time has come meanwhile: the article is public, and stays so. Unpublish it, if that is what you want.';
      throw new RefusedCommandError('ALREADY_PUBLIC', message);
    }
    if (article.status === 'DRAFT') return false;
    await setState(tx, target, { status: 'DRAFT', scheduledAt: null, publishedAt: article.publishedAt });
    return true;
  });
}

/** Makes it a draft: cancels a schedule, and withdraws remote copies as far as the platforms can. */
export function unpublishArticle(db: Database, target: ArticleTarget): Promise<void> {
  return run(db, target, async (tx, article) => {
    if (article.status === 'DRAFT') return false;
    await setState(tx, target, { status: 'DRAFT', scheduledAt: null, publishedAt: article.publishedAt });
    return true;
  });
}

/**
 * Unpublishes the article and erases its text. The row stays, so that its address answers 410, remote copies can be withdrawn, and publishing
 * the same document again restores the article instead of creating second copies where platforms only hide a post.
 */
export function deleteArticle(db: Database, target: ArticleTarget): Promise<void> {
  return run(db, target, async (tx, article) => {
    if (article.deletedAt !== null) return false;
    await setState(tx, target, { status: 'DRAFT', scheduledAt: null, publishedAt: article.publishedAt });
    await countStoredBytes(tx, target.authorId, -article.sourceBytes);
    await tx
      .updateTable('articles')
      .set({
        deletedAt: target.now,
        ...NO_TEXT,
      })
      .where('id', '=', target.articleId)
      .execute();
    return true;
  });
}

async function setState(
  tx: Transaction<DB>,
  { articleId, now }: ArticleTarget,
  state: { status: ArticleStatus; scheduledAt: Date | null; publishedAt: Date | null },
): Promise<void> {
  await tx
    .updateTable('articles')
    .set((eb) => ({
      ...state,
      // Whoever publishes it has made it an article of this place.
      ...(state.status !== 'DRAFT' && { imported: false }),
      revision: eb('revision', '+', 1),
      dispatch: eb('dispatch', '+', 1),
      dispatchedAt: now,
      updatedAt: now,
    }))
    .where('id', '=', articleId)
    .execute();
  await renewFingerprint(tx, articleId);
}

type LockedArticle = NonNullable<Awaited<ReturnType<typeof lockOwnArticle>>>;

/** `command` returns whether it changed the article; only then is the workflow signalled. */
function run(
  db: Database,
  target: ArticleTarget,
  command: (tx: Transaction<DB>, article: LockedArticle) => Promise<boolean>,
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const article = await lockOwnArticle(tx, target);
    if (!article) throw new RefusedCommandError('NOT_FOUND', 'There is no such article among yours.');
    if (await command(tx, article)) await enqueueArticle(tx, target.articleId);
  });
}

async function lockOwnArticle(tx: Transaction<DB>, { authorId, articleId }: ArticleTarget) {
  // The author's row first, as a publish does, so that nothing changes the article between this read and the write.
  const author = await tx
    .selectFrom('users')
    .select('suspendedAt')
    .where('id', '=', authorId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  const article = await tx
    .selectFrom('articles')
    .select(['status', 'publishedAt', 'deletedAt'])
    .select(sql<number>`octet_length(source)`.as('sourceBytes'))
    .where('id', '=', articleId)
    .where('authorId', '=', authorId)
    .executeTakeFirst();
  return article && author && { ...article, ...author };
}

function requireActive({ suspendedAt }: LockedArticle): void {
  if (suspendedAt !== null) throw createSuspendedError();
}

function createDeletedError(): RefusedCommandError {
  return new RefusedCommandError('DELETED', 'The article was deleted; publish its document again to bring it back.');
}
