/** The steps of the article workflow: publishes the article when its time has come, and wakes the delivery workflows. */
import type { DestinationKey } from '../../article/types.ts';
import { findArticleState } from '../../store/articles/article-state.ts';
import { publishDueArticle } from '../../store/articles/schedules/publish-due.ts';
import { applyZoneRules, hasOlderRules } from '../../store/articles/schedules/zone-rules.ts';
import { listConcernedDestinations, listCopiedDestinations } from '../../store/deliveries/list.ts';
import { signalDeliveries } from '../../temporal/signals.ts';
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
  | ({ kind: 'wait'; scheduledAt: string; dueInMs: number; remindInMs: number | null } & ToWake)
  | ({ kind: 'wake' } & ToWake);

interface ToWake {
  /** Their delivery workflows are to be woken. */
  destinations: DestinationKey[];
}

export function createArticleActivities({ db, actors, now }: ActivityDeps) {
  /** By today's rules of the zone in which its author gave the time. */
  const readArticle = async (articleId: string) => {
    const article = await findArticleState(db, articleId);
    if (article?.status !== 'SCHEDULED' || !hasOlderRules(article)) return article;
    await applyZoneRules(db, { now: now(), limit: 1, articleId });
    return findArticleState(db, articleId);
  };
  return {
    /**
     * Returns how long to wait for the scheduled time, or publishes the article. A local activity, so it calls the database alone. The row decides
     * whether the article is still scheduled, so an edit at the last moment either counts or comes too late. Idempotent: a repeat publishes nothing
     * again, and the delivery workflows find nothing new to do.
     */
    async advanceArticle(articleId: string): Promise<ArticleNext> {
      const article = await readArticle(articleId);
      if (!article) return { kind: 'gone' };
      if (article.status === 'SCHEDULED' && article.scheduledAt !== null) {
        const dueInMs = article.scheduledAt.getTime() - now().getTime();
        if (dueInMs > 0) {
          // It may have been public before: until its hour no copy is live.
          const destinations = await listCopiedDestinations(db, articleId);
          const scheduledAt = article.scheduledAt.toISOString();
          const isReminded = article.remindedFor?.getTime() === article.scheduledAt.getTime();
          const remindInMs = isReminded || dueInMs < NO_TIME_MS ? null : Math.max(0, dueInMs - AHEAD_MS);
          return { kind: 'wait', scheduledAt, dueInMs, remindInMs, destinations };
        }
        await publishDueArticle(db, articleId, now());
      }
      return { kind: 'wake', destinations: await listConcernedDestinations(db, articleId) };
    },
    async wakeDeliveries({ articleId, destinations }: { articleId: string } & ToWake): Promise<void> {
      const article = await findArticleState(db, articleId);
      if (!article) return;
      const isPublic = article.status === 'PUBLISHED';
      await signalDeliveries(actors, { ...article, articleId, isPublic }, destinations);
    },
  };
}
