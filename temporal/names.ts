/** Names shared by the API, the worker and the workflows. Pure, because workflows import it. */
import { defineSearchAttributeKey } from '@temporalio/common';
import type { DestinationKey } from '../article/types.ts';

/** Workflow ids are business ids, so that a second workflow for the same subject cannot start. */
export function buildArticleWorkflowId(articleId: string): string {
  return `article/${articleId}`;
}

export function buildDeliveryWorkflowId(articleId: string, destination: DestinationKey): string {
  return `delivery/${articleId}/${destination}`;
}

/** `date`: `2026-11-23`. */
export function buildDigestWorkflowId(userId: string, date: string): string {
  return `digest/${userId}/${date}`;
}

export function buildMailWorkflowId(mailId: string): string {
  return `mail/${mailId}`;
}

export function buildImportWorkflowId(importId: string): string {
  return `import/${importId}`;
}

/** One task queue per kind of activity, so that slow or bulk work of one does not delay another. */
export function buildActivityQueue(taskQueue: string, kind: ActivityQueue): string {
  return `${taskQueue}-${kind}`;
}

export const ACTIVITY_QUEUES = ['deliveries', 'mails', 'imports'] as const;

export type ActivityQueue = (typeof ACTIVITY_QUEUES)[number];

/** Failure types of deliveries that need their author, by outcome. */
export const FAILURE_TYPES: Record<string, string> = { failed: 'DeliveryFailed', unknown: 'DeliveryUnknown' };

/** Matches the message prefix, because type and category do not reach the worker's log. */
export function isDeliveryFailure(message: string): boolean {
  return Object.keys(FAILURE_TYPES).some((outcome) => message.startsWith(`${outcome}: `));
}

/** For finding workflows in the Temporal UI. */
export const SEARCH_ATTRIBUTES = {
  author: defineSearchAttributeKey('CourantAuthor', 'KEYWORD'),
  slug: defineSearchAttributeKey('CourantSlug', 'KEYWORD'),
  destination: defineSearchAttributeKey('CourantDestination', 'KEYWORD'),
  outcome: defineSearchAttributeKey('CourantOutcome', 'KEYWORD'),
} as const;
