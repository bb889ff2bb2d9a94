/**
 * An author's commands for an article: publish now, schedule, unpublish, delete. Each locks the
 * author's row first, as a publish and a due schedule do, so that they run in sequence and see each
 * other's result.
 */
import { sql, type Transaction } from 'kysely';
import type { ArticleStatus } from '../../article/types.ts';
import { createSuspendedError, RefusedCommandError } from '../commands/refused-command.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { enqueueArticle } from '../outbox/enqueue.ts';
import { ERASED_TEXT } from './fields.ts';
import { renewFingerprint } from './publish/fingerprint.ts';
import { countStoredBytes } from './publish/storage.ts';
import { type AuthorTime, recordSchedule } from './schedules/schedule.ts';

export interface ArticleTarget {
  authorId: string;
  articleId: string;
  now: Date;
}

/** Publishes a draft or a scheduled article at once. Does nothing to a public one. */
export function publishNow(db: Database, target: ArticleTarget): Promise<void> {
  return runArticleCommand(db, target, async (tx, article) => {
    if (article.deletedAt !== null) throw createDeletedError();
    if (article.status === 'PUBLISHED') return false;
    requireActive(article);
    const publishedAt = article.publishedAt ?? target.now;
    await setState(tx, target, { status: 'PUBLISHED', scheduledAt: null, publishedAt });
    return true;
  });
}

/** Sets or moves the time. Rejects a public article, because readers may have its address. */
export function scheduleArticle(db: Database, target: ArticleTarget, schedule: AuthorTime): Promise<void> {
  return runArticleCommand(db, target, async (tx, article) => {
    if (article.deletedAt !== null) throw createDeletedError();
    if (article.status === 'PUBLISHED') {
      const message = 'The article is already public and stays public. To schedule it, unpublish it first.';
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
    await recordSchedule(tx, target.articleId, schedule);
    return true;
  });
}

/** Makes a scheduled article a draft. Rejects one that became public: unpublish it instead. */
export function cancelSchedule(db: Database, target: ArticleTarget): Promise<void> {
  return runArticleCommand(db, target, async (tx, article) => {
    if (article.status === 'PUBLISHED') {
      const message =
        'The scheduled time has passed: the article is public and stays public. To withdraw it, unpublish it.';
      throw new RefusedCommandError('ALREADY_PUBLIC', message);
    }
    if (article.status === 'DRAFT') return false;
    await setState(tx, target, { status: 'DRAFT', scheduledAt: null, publishedAt: article.publishedAt });
    return true;
  });
}

/** Makes the article a draft: cancels its schedule and withdraws its copies where platforms can. */
export function unpublishArticle(db: Database, target: ArticleTarget): Promise<void> {
  return runArticleCommand(db, target, async (tx, article) => {
    if (article.status === 'DRAFT') return false;
    await setState(tx, target, { status: 'DRAFT', scheduledAt: null, publishedAt: article.publishedAt });
    return true;
  });
}

/**
 * Unpublishes the article and erases its text. The row stays: its address answers 410, copies can
 * be withdrawn, and publishing the document again restores it. Platforms that only hide a copy
 * reuse that copy.
 */
export function deleteArticle(db: Database, target: ArticleTarget): Promise<void> {
  return runArticleCommand(db, target, async (tx, article) => {
    if (article.deletedAt !== null) return false;
    await setState(tx, target, { status: 'DRAFT', scheduledAt: null, publishedAt: article.publishedAt });
    await countStoredBytes(tx, target.authorId, -article.sourceBytes);
    await tx
      .updateTable('articles')
      .set({
        deletedAt: target.now,
        ...ERASED_TEXT,
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
      // Publishing or scheduling an imported article makes it an article of this site.
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

/** `command` returns whether it changed the article. Only a change signals the workflow. */
function runArticleCommand(
  db: Database,
  target: ArticleTarget,
  command: (tx: Transaction<DB>, article: LockedArticle) => Promise<boolean>,
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const article = await lockOwnArticle(tx, target);
    if (!article) throw new RefusedCommandError('NOT_FOUND', 'You have no such article.');
    if (await command(tx, article)) await enqueueArticle(tx, target.articleId);
  });
}

async function lockOwnArticle(tx: Transaction<DB>, { authorId, articleId }: ArticleTarget) {
  // Same lock as a publish: nothing changes the article between this read and the write.
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
  return new RefusedCommandError('DELETED', 'The article was deleted. To restore it, publish its document again.');
}
