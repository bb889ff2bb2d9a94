/**
 * The actor of one article: waits out its schedule, then wakes an actor per destination. It asks the row what is true and holds nothing
 * itself, so a signal that comes twice, late or out of order changes nothing. It ends when nothing is left to wait for.
 */
import {
  allHandlersFinished,
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { type ArticleWorkflowInput, articleChangedSignal, statusQuery } from './messages.ts';
import { RECORD_OPTIONS } from './options.ts';

const { readArticleState, publishDue, wakeDeliveries } = proxyActivities<Activities>(RECORD_OPTIONS);

export async function articleWorkflow(input: ArticleWorkflowInput): Promise<string> {
  let changed = false;
  let status = 'reading the article';
  setHandler(articleChangedSignal, () => {
    changed = true;
  });
  setHandler(statusQuery, () => status);
  const show = (text: string) => {
    status = text;
    setCurrentDetails(text);
  };

  for (;;) {
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof articleWorkflow>(input);
    changed = false;
    const article = await readArticleState(input.articleId);
    if (article === null) return 'the article is gone';
    if (article.status === 'SCHEDULED' && article.dueInMs > 0) {
      show(`scheduled for ${article.scheduledAt}`);
      await condition(() => changed, article.dueInMs);
      continue;
    }
    // The row decides whether it is still scheduled and due: an edit at the last moment wins or loses there, never both.
    if (article.status === 'SCHEDULED') {
      await publishDue(input.articleId);
      continue;
    }
    show('waking the deliveries');
    const woken = await wakeDeliveries(input.articleId);
    await condition(allHandlersFinished);
    if (!changed) return woken.length === 0 ? 'no destination to tell' : `told ${woken.join(', ')}`;
  }
}
