/** The article workflow's step: publishes the article when its time has come, and wakes the delivery workflows. */
import type { DestinationKey } from '../../article/types.ts';
import { findArticleState } from '../../store/articles/article-state.ts';
import { publishDueArticle } from '../../store/articles/publish-due.ts';
import { listConcernedDestinations } from '../../store/deliveries/list.ts';
import { signalDelivery } from '../../temporal/signals.ts';
import type { ActivityDeps } from '../deps.ts';

/** How long before its time an article's destinations are tried. */
const AHEAD_MS = 60 * 60_000;
/** With less time left, a warning comes too late to act on. */
const NO_TIME_MS = 10 * 60_000;

export type ArticleNext =
  | { kind: 'gone' }
  /**
   * `scheduledAt` in ISO 8601 and UTC; `dueInMs` is positive. `remindInMs`: until its destinations are to be tried; null if that was done or
   * there is no time for it.
   */
  | { kind: 'wait'; scheduledAt: string; dueInMs: number; remindInMs: number | null }
  /** The delivery workflows of these destinations were woken. The kind is in recorded histories, so it stays. */
  | { kind: 'told'; destinations: DestinationKey[] };

export function createArticleActivities({ db, actors, now }: ActivityDeps) {
  return {
    /**
     * Returns how long to wait for the scheduled time, or publishes the article and wakes the delivery workflow of every destination that
     * it concerns. The row decides whether it is still scheduled, so an edit at the last moment either counts or comes too late. Idempotent:
     * a repeat publishes nothing again, and the delivery workflows find nothing new to do.
     */
    async advanceArticle(articleId: string): Promise<ArticleNext> {
      const article = await findArticleState(db, articleId);
      if (!article) return { kind: 'gone' };
      if (article.status === 'SCHEDULED' && article.scheduledAt !== null) {
        const dueInMs = article.scheduledAt.getTime() - now().getTime();
        if (dueInMs > 0) {
          const scheduledAt = article.scheduledAt.toISOString();
          const isReminded = article.remindedFor?.getTime() === article.scheduledAt.getTime();
          const remindInMs = isReminded || dueInMs < NO_TIME_MS ? null : Math.max(0, dueInMs - AHEAD_MS);
          return { kind: 'wait', scheduledAt, dueInMs, remindInMs };
        }
        await publishDueArticle(db, articleId, now());
      }
      const destinations = await listConcernedDestinations(db, articleId);
      await Promise.all(
        destinations.map((destination) => signalDelivery(actors, { ...article, articleId, destination })),
      );
      return { kind: 'told', destinations };
    },
  };
}
