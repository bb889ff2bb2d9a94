/**
 * Formats an article for a destination. A formatting bug becomes a refusal, not an endless retry.
 */
import { log } from '@temporalio/activity';
import type { DeliverableArticle } from '../../article/types.ts';
import { reportFormatFailure } from '../../destinations/format/preflight.ts';
import type { Destination, Formatted } from '../../destinations/types.ts';
import type { ActivityDeps } from '../deps.ts';

export async function formatForDestination(
  { formats }: ActivityDeps,
  adapter: Destination,
  { article, authorId }: { article: DeliverableArticle; authorId: string },
): Promise<Formatted<unknown> | 'busy'> {
  try {
    return await formats.format(adapter, article, authorId);
  } catch (error) {
    log.error('could not format an article', { articleId: article.id, platform: adapter.platform, err: error });
    return { payload: null, losses: [], refusal: reportFormatFailure(adapter.label) };
  }
}
