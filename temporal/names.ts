/** Names that the API, the worker and the workflows share. Pure, since workflows import it too. */
import { defineSearchAttributeKey } from '@temporalio/common';
import type { DestinationKey } from '../article/types.ts';

/** Workflow ids are business ids: one workflow per article, and one per article and destination. */
export function buildArticleWorkflowId(articleId: string): string {
  return `article/${articleId}`;
}

export function buildDeliveryWorkflowId(articleId: string, destination: DestinationKey): string {
  return `delivery/${articleId}/${destination}`;
}

/** One per author and day (`2026-11-23`): a second one for the same day cannot be started. */
export function buildDigestWorkflowId(userId: string, date: string): string {
  return `digest/${userId}/${date}`;
}

/** One per mail: a second one for the same mail cannot be started. */
export function buildMailWorkflowId(mailId: string): string {
  return `mail/${mailId}`;
}

/** One per import that an author ordered. */
export function buildImportWorkflowId(importId: string): string {
  return `import/${importId}`;
}

/**
 * Task queues of activities, beside that of the workflows, which keeps its name: each has a worker with slots of its own, so that what
 * hangs or comes in masses in one delays nothing in another.
 */
export function buildActivityQueue(taskQueue: string, kind: ActivityQueue): string {
  return `${taskQueue}-${kind}`;
}

export const ACTIVITY_QUEUES = ['deliveries', 'mails', 'imports'] as const;

export type ActivityQueue = (typeof ACTIVITY_QUEUES)[number];

/** 2: a delivery is planned and sent by one activity. docs/workflows.md says when it is raised. */
const WORKFLOW_GENERATION = 2;

/**
 * The build id of the workers names the generation of the workflows' code. Temporal records it with every task that a worker completes, so a
 * workflow that is replayed learns which code it ran then. The SDK's own marker (`patched`) would add two events to each history.
 */
export function buildWorkflowBuildId(): string {
  return `courant-workflows-${WORKFLOW_GENERATION}`;
}

/**
 * Reads it from the build id of the worker that ran a task. Before there were generations, workers had the SDK's default build id. A server that
 * keeps none, such as the time-skipping one of the tests, never outlives the code that it runs.
 */
export function readWorkflowGeneration(buildId: string | undefined): number {
  if (buildId?.startsWith('@temporalio/worker@')) return 1;
  return Number(/^courant-workflows-(\d+)$/.exec(buildId ?? '')?.[1] ?? WORKFLOW_GENERATION);
}

/** The types of the failures with which a delivery ends that needs its author. */
export const FAILURE_TYPES: Record<string, string> = { failed: 'DeliveryFailed', unknown: 'DeliveryUnknown' };

/** By the message, which begins with the outcome: type and category do not reach the worker's log. */
export function isDeliveryFailure(message: string): boolean {
  return Object.keys(FAILURE_TYPES).some((outcome) => message.startsWith(`${outcome}: `));
}

/** With these an operator finds a workflow in the Temporal UI. */
export const SEARCH_ATTRIBUTES = {
  author: defineSearchAttributeKey('CourantAuthor', 'KEYWORD'),
  slug: defineSearchAttributeKey('CourantSlug', 'KEYWORD'),
  destination: defineSearchAttributeKey('CourantDestination', 'KEYWORD'),
  outcome: defineSearchAttributeKey('CourantOutcome', 'KEYWORD'),
} as const;
