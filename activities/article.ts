/** What the article's actor needs: its state, its hour, and a word to the destinations' actors. */
import type { ArticleStatus, DestinationKey } from '../article/types.ts';
import { findArticleState, publishDueArticle } from '../store/articles.ts';
import { listConcernedDestinations } from '../store/deliveries.ts';
import { signalDelivery } from '../temporal/signals.ts';
import type { ActivityDeps } from './deps.ts';

export interface ArticleState {
  status: ArticleStatus;
  /** ISO 8601 in UTC; null unless scheduled. */
  scheduledAt: string | null;
  /** Milliseconds until then by this machine's clock; 0 or less means due. */
  dueInMs: number;
}

export function articleActivities({ db, actors, now }: ActivityDeps) {
  return {
    /** Null where the article was deleted. */
    async readArticleState(articleId: string): Promise<ArticleState | null> {
      const row = await findArticleState(db, articleId);
      if (!row) return null;
      const dueInMs = row.scheduledAt === null ? 0 : row.scheduledAt.getTime() - now().getTime();
      return { status: row.status, scheduledAt: row.scheduledAt?.toISOString() ?? null, dueInMs };
    },

    /** Makes the article public if it is still scheduled and due; running it twice publishes once. */
    async publishDue(articleId: string): Promise<boolean> {
      return publishDueArticle(db, articleId, now());
    },

    /** Wakes the actor of every destination that the article concerns; waking one twice costs a look. */
    async wakeDeliveries(articleId: string): Promise<DestinationKey[]> {
      const article = await findArticleState(db, articleId);
      if (!article) return [];
      const destinations = await listConcernedDestinations(db, articleId);
      for (const destination of destinations) await signalDelivery(actors, { ...article, articleId, destination });
      return destinations;
    },
  };
}
