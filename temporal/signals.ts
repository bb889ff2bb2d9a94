/** Telling the actors: each call starts the actor where it sleeps and signals it in one step, so there is no gap to fall into. */
import type { Client } from '@temporalio/client';
import type { DestinationKey } from '../article/types.ts';
import { articleWorkflowId, deliveryWorkflowId, SEARCH_ATTRIBUTES } from './names.ts';

/** Where the actors live. */
export interface Actors {
  client: Client;
  taskQueue: string;
}

export interface ArticleNews {
  articleId: string;
  dispatch: number;
  slug: string;
  /** User name of the author. */
  username: string;
}

export async function signalArticle({ client, taskQueue }: Actors, news: ArticleNews): Promise<void> {
  await client.workflow.signalWithStart('articleWorkflow', {
    taskQueue,
    workflowId: articleWorkflowId(news.articleId),
    args: [{ articleId: news.articleId }],
    signal: 'articleChanged',
    signalArgs: [{ dispatch: news.dispatch }],
    staticSummary: `${news.username}: ${news.slug}`,
    typedSearchAttributes: [
      { key: SEARCH_ATTRIBUTES.author, value: news.username },
      { key: SEARCH_ATTRIBUTES.slug, value: news.slug },
    ],
  });
}

export async function signalDelivery(
  { client, taskQueue }: Actors,
  news: ArticleNews & { destination: DestinationKey },
): Promise<void> {
  await client.workflow.signalWithStart('deliveryWorkflow', {
    taskQueue,
    workflowId: deliveryWorkflowId(news.articleId, news.destination),
    args: [{ articleId: news.articleId, destination: news.destination }],
    signal: 'deliver',
    signalArgs: [{ dispatch: news.dispatch }],
    staticSummary: `${news.username}: ${news.slug} → ${news.destination}`,
    typedSearchAttributes: [
      { key: SEARCH_ATTRIBUTES.author, value: news.username },
      { key: SEARCH_ATTRIBUTES.slug, value: news.slug },
      { key: SEARCH_ATTRIBUTES.destination, value: news.destination },
      { key: SEARCH_ATTRIBUTES.outcome, value: 'pending' },
    ],
  });
}
