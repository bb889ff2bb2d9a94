/** Names that the API, the worker and the workflows agree on. Pure: workflows import it too. */
import { defineSearchAttributeKey } from '@temporalio/common';
import type { DestinationKey } from '../article/types.ts';

/** Workflow ids are business ids: there is one actor an article, and one an article and destination. */
export function articleWorkflowId(articleId: string): string {
  return `article/${articleId}`;
}

export function deliveryWorkflowId(articleId: string, destination: DestinationKey): string {
  return `delivery/${articleId}/${destination}`;
}

/** One an author and day, as `2026-11-23`: a second one of the same day cannot be started. */
export function digestWorkflowId(userId: string, date: string): string {
  return `digest/${userId}/${date}`;
}

/** By these an operator finds an actor in the Temporal UI. */
export const SEARCH_ATTRIBUTES = {
  author: defineSearchAttributeKey('CourantAuthor', 'KEYWORD'),
  slug: defineSearchAttributeKey('CourantSlug', 'KEYWORD'),
  destination: defineSearchAttributeKey('CourantDestination', 'KEYWORD'),
  outcome: defineSearchAttributeKey('CourantOutcome', 'KEYWORD'),
} as const;
