/**
 * The workflow of one article: waits for its scheduled time, then wakes its delivery workflows. All
 * state is in the row, so repeated, late and unordered signals are harmless.
 */
import {
  ActivityFailure,
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { type ArticleWorkflowInput, articleChangedSignal } from './messages.ts';
import { LOCAL_RECORD_OPTIONS, RECORD_OPTIONS, REMINDER_OPTIONS } from './options.ts';
import { showStatus } from './status.ts';

const { advanceArticle } = proxyLocalActivities<Activities>(LOCAL_RECORD_OPTIONS);
const { wakeDeliveries } = proxyActivities<Activities>(RECORD_OPTIONS);
const { remindAuthor } = proxyActivities<Activities>(REMINDER_OPTIONS);

export async function articleWorkflow(input: ArticleWorkflowInput): Promise<string> {
  let changed = false;
  setHandler(articleChangedSignal, () => {
    changed = true;
  });
  const show = showStatus('reading the article');
  let reminded: string | null = null;

  for (;;) {
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof articleWorkflow>(input);
    changed = false;
    const next = await advanceArticle(input.articleId);
    if (next.kind !== 'deleted' && next.destinations.length > 0) {
      await wakeDeliveries({ articleId: input.articleId, destinations: next.destinations });
    }
    if (next.kind === 'wait') {
      show(`scheduled for ${next.scheduledAt}`);
      const { scheduledAt } = next;
      const remindInMs = reminded === scheduledAt ? null : next.remindInMs;
      const wasChanged = await condition(() => changed, Math.max(1, remindInMs ?? next.dueInMs));
      if (wasChanged || remindInMs === null) continue;
      // A change by the author must not wait for slow destinations.
      const scope = new CancellationScope();
      const reminding = scope.run(() => remind(input.articleId, scheduledAt));
      await Promise.race([reminding, condition(() => changed)]);
      scope.cancel();
      await reminding;
      // Not repeated after any result. If a change cancelled it, the row decides whether it is due.
      if (!changed) reminded = scheduledAt;
      continue;
    }
    if (changed) continue;
    if (next.kind === 'deleted') return 'the article was deleted';
    return next.destinations.length === 0 ? 'no destination to wake' : `woke ${next.destinations.join(', ')}`;
  }
}

/** A failed reminder must not delay the publication. */
async function remind(articleId: string, scheduledAt: string): Promise<void> {
  try {
    await remindAuthor({ articleId, scheduledAt });
  } catch (error) {
    if (!(error instanceof ActivityFailure) && !isCancellation(error)) throw error;
  }
}
