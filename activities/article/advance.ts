/** The steps of the article workflow: publishes a due article, and wakes its delivery workflows. */
import type { DestinationKey } from '../../article/types.ts';
import { publishDueArticle } from '../../store/articles/schedules/publish-due.ts';
import { findArticleState } from '../../store/articles/schedules/schedule.ts';
import { applyZoneRules, hasOlderRules } from '../../store/articles/schedules/zone-rules.ts';
import { listConcernedDestinations, listCopiedDestinations } from '../../store/deliveries/list.ts';
import { signalDeliveries } from '../../temporal/signals.ts';
import type { ActivityDeps } from '../deps.ts';

/** How long before the scheduled time the destinations are probed. */
const REMIND_BEFORE_MS = 60 * 60_000;
/** With less time remaining, the author cannot act on a warning. */
const MIN_NOTICE_MS = 10 * 60_000;

export type ArticleNext =
  | { kind: 'deleted' }
  /**
   * `scheduledAt`: ISO 8601, UTC. `dueInMs`: positive. `remindInMs`: until the reminder; null if it
   * ran already or is too late.
   */
  | ({ kind: 'wait'; scheduledAt: string; dueInMs: number; remindInMs: number | null } & ToWake)
  | ({ kind: 'wake' } & ToWake);

interface ToWake {
  /** Delivery workflows to wake. */
  destinations: DestinationKey[];
}

export function createArticleActivities({ db, workflowTarget, now }: ActivityDeps) {
  /** Applies the current rules of the author's time zone to the scheduled time. */
  const readArticle = async (articleId: string) => {
    const article = await findArticleState(db, articleId);
    if (article?.status !== 'SCHEDULED' || !hasOlderRules(article)) return article;
    await applyZoneRules(db, { now: now(), limit: 1, articleId });
    return findArticleState(db, articleId);
  };
  return {
    /**
     * Returns the time until the scheduled publication, or publishes the article. A local activity:
     * it calls only the database. Idempotent. The row decides whether the article is still
     * scheduled.
     */
    async advanceArticle(articleId: string): Promise<ArticleNext> {
      const article = await readArticle(articleId);
      if (!article) return { kind: 'deleted' };
      if (article.status === 'SCHEDULED' && article.scheduledAt !== null) {
        const dueInMs = article.scheduledAt.getTime() - now().getTime();
        if (dueInMs > 0) {
          // An article that was public before may have live copies, which are withdrawn until then.
          const destinations = await listCopiedDestinations(db, articleId);
          const scheduledAt = article.scheduledAt.toISOString();
          const isReminded = article.remindedFor?.getTime() === article.scheduledAt.getTime();
          const remindInMs = isReminded || dueInMs < MIN_NOTICE_MS ? null : Math.max(0, dueInMs - REMIND_BEFORE_MS);
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
      await signalDeliveries(workflowTarget, { ...article, articleId, isPublic }, destinations);
    },
  };
}
