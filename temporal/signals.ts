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

type DeliveryNews = ArticleNews & { destination: DestinationKey };

/** The article has something for this destination. */
export async function signalDelivery({ client, taskQueue }: Actors, news: DeliveryNews): Promise<void> {
  await client.workflow.signalWithStart('deliveryWorkflow', {
    ...deliveryStart(taskQueue, news),
    signal: 'deliver',
    signalArgs: [{ dispatch: news.dispatch }],
  });
}

/** The author decided something about this delivery. */
export async function signalDecision({ client, taskQueue }: Actors, news: DeliveryNews): Promise<void> {
  await client.workflow.signalWithStart('deliveryWorkflow', {
    ...deliveryStart(taskQueue, news),
    signal: 'decided',
    signalArgs: [],
  });
}

function deliveryStart(taskQueue: string, news: DeliveryNews) {
  return {
    taskQueue,
    workflowId: deliveryWorkflowId(news.articleId, news.destination),
    args: [{ articleId: news.articleId, destination: news.destination }],
    staticSummary: `${news.username}: ${news.slug} → ${news.destination}`,
    typedSearchAttributes: [
      { key: SEARCH_ATTRIBUTES.author, value: news.username },
      { key: SEARCH_ATTRIBUTES.slug, value: news.slug },
      { key: SEARCH_ATTRIBUTES.destination, value: news.destination },
      { key: SEARCH_ATTRIBUTES.outcome, value: 'pending' },
    ],
  };
}
