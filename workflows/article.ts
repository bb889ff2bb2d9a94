/**
 * The actor of one article: waits out its schedule, then wakes an actor per destination. It asks the row what is true and holds nothing
 * itself, so a signal that comes twice, late or out of order changes nothing. It ends when nothing is left to wait for.
 */
import {
  allHandlersFinished,
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
import { LOCAL_RECORD_OPTIONS, REMINDER_OPTIONS } from './options.ts';
import { showStatus } from './status.ts';

const { advanceArticle } = proxyLocalActivities<Activities>(LOCAL_RECORD_OPTIONS);
const { remindArticle } = proxyActivities<Activities>(REMINDER_OPTIONS);

export async function articleWorkflow(input: ArticleWorkflowInput): Promise<string> {
  let changed = false;
  setHandler(articleChangedSignal, () => {
    changed = true;
  });
  const show = showStatus('reading the article');
  let notReminded: string | null = null;

  for (;;) {
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof articleWorkflow>(input);
    changed = false;
    const next = await advanceArticle(input.articleId);
    if (next.kind === 'wait') {
      show(`scheduled for ${next.scheduledAt}`);
      const { scheduledAt } = next;
      const remindInMs = notReminded === scheduledAt ? null : next.remindInMs;
      const wasChanged = await condition(() => changed, remindInMs ?? next.dueInMs);
      if (wasChanged || remindInMs === null) continue;
      if (!(await remind(input.articleId, scheduledAt))) notReminded = scheduledAt;
      continue;
    }
    await condition(allHandlersFinished);
    if (changed) continue;
    if (next.kind === 'gone') return 'the article is gone';
    return next.destinations.length === 0 ? 'no destination to tell' : `told ${next.destinations.join(', ')}`;
  }
}

/** A reminder that cannot be had is no reason to miss the hour itself. Answers whether it was made. */
async function remind(articleId: string, scheduledAt: string): Promise<boolean> {
  try {
    await remindArticle({ articleId, scheduledAt });
    return true;
  } catch (error) {
    if (isCancellation(error)) throw error;
    return false;
  }
}
