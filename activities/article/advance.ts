/** The article workflow's step: publishes the article when its time has come, and wakes the delivery workflows. */
import type { DestinationKey } from '../../article/types.ts';
import { findArticleState } from '../../store/articles/article-state.ts';
import { publishDueArticle } from '../../store/articles/schedules/publish-due.ts';
import { applyZoneRules, hasOlderRules } from '../../store/articles/schedules/zone-rules.ts';
import { listConcernedDestinations, listCopiedDestinations } from '../../store/deliveries/list.ts';
import { type ArticleSignal, signalDeliveries } from '../../temporal/signals.ts';
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

type ArticleRow = Omit<ArticleSignal, 'articleId'> & { id: string };

export function createArticleActivities({ db, actors, now }: ActivityDeps) {
  const wake = ({ id, dispatch, slug, username }: ArticleRow, destinations: DestinationKey[]) =>
    signalDeliveries(actors, { articleId: id, dispatch, slug, username }, destinations);
  /** By today's rules of the zone in which its author gave the time. */
  const readArticle = async (articleId: string) => {
    const article = await findArticleState(db, articleId);
    if (article?.status !== 'SCHEDULED' || !hasOlderRules(article)) return article;
    await applyZoneRules(db, { now: now(), limit: 1, articleId });
    return findArticleState(db, articleId);
  };
  return {
    /**
     * Returns how long to wait for the scheduled time, and has copies withdrawn that are live until then; or publishes the article and wakes the delivery workflow of every destination that
     * it concerns. The row decides whether it is still scheduled, so an edit at the last moment either counts or comes too late. Idempotent:
     * a repeat publishes nothing again, and the delivery workflows find nothing new to do.
     */
    async advanceArticle(articleId: string): Promise<ArticleNext> {
      const article = await readArticle(articleId);
      if (!article) return { kind: 'gone' };
      if (article.status === 'SCHEDULED' && article.scheduledAt !== null) {
        const dueInMs = article.scheduledAt.getTime() - now().getTime();
        if (dueInMs > 0) {
          // It may have been public before: until its hour no copy is live.
          await wake(article, await listCopiedDestinations(db, articleId));
          const scheduledAt = article.scheduledAt.toISOString();
          const isReminded = article.remindedFor?.getTime() === article.scheduledAt.getTime();
          const remindInMs = isReminded || dueInMs < NO_TIME_MS ? null : Math.max(0, dueInMs - AHEAD_MS);
          return { kind: 'wait', scheduledAt, dueInMs, remindInMs };
        }
        await publishDueArticle(db, articleId, now());
      }
      const destinations = await listConcernedDestinations(db, articleId);
      await wake(article, destinations);
      return { kind: 'told', destinations };
    },
  };
}
