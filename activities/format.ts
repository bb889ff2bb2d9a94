/** Formatting for a destination; a fault of ours in it is a refusal that its author hears of, not an attempt that is repeated for ever. */
import { log } from '@temporalio/activity';
import type { DeliverableArticle } from '../article/types.ts';
import type { Destination, Formatted } from '../destinations/types.ts';

export function formatFor(adapter: Destination, article: DeliverableArticle): Formatted<unknown> {
  try {
    return adapter.format(article);
  } catch (error) {
    log.error('an article could not be formatted', { articleId: article.id, platform: adapter.platform, error });
    const message = `The article could not be put into the form of ${adapter.label}. This is a fault of Courant; please report it.`;
    return { payload: null, losses: [], refusal: { code: 'format_failed', message } };
  }
}
