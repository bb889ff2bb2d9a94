/**
 * Starts the workflows of articles, deliveries, imports, mails and digests, or signals the running
 * ones. A signal is not lost if its workflow ends meanwhile.
 */
import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import type { DestinationKey } from '../article/types.ts';
import type { DeliveryOutcome } from '../delivery/outcome.ts';
import {
  buildArticleWorkflowId,
  buildDeliveryWorkflowId,
  buildDigestWorkflowId,
  buildImportWorkflowId,
  buildMailWorkflowId,
  SEARCH_ATTRIBUTES,
} from './names.ts';
import { summarise } from './visibility/summary.ts';

export interface WorkflowTarget {
  client: Client;
  taskQueue: string;
}

export interface ArticleSignal {
  articleId: string;
  /** False: withdraws its copies without delay. */
  isPublic: boolean;
  slug: string;
  title: string;
  username: string;
  authorName: string;
  platforms: Partial<Record<DestinationKey, string>>;
}

export async function signalArticle({ client, taskQueue }: WorkflowTarget, target: ArticleSignal): Promise<void> {
  await client.workflow.signalWithStart('articleWorkflow', {
    taskQueue,
    workflowId: buildArticleWorkflowId(target.articleId),
    args: [{ articleId: target.articleId }],
    signal: 'articleChanged',
    signalArgs: [],
    staticSummary: summarise(target),
    typedSearchAttributes: [
      { key: SEARCH_ATTRIBUTES.author, value: target.username },
      { key: SEARCH_ATTRIBUTES.slug, value: target.slug },
    ],
  });
}

type DeliverySignal = ArticleSignal & { destination: DestinationKey };

/** Throws if one destination was not signalled; the others may have been. */
export async function signalDeliveries(
  workflows: WorkflowTarget,
  target: ArticleSignal,
  destinations: readonly DestinationKey[],
): Promise<void> {
  await Promise.all(destinations.map((destination) => signalDelivery(workflows, { ...target, destination })));
}

/**
 * Starts without a signal: the workflow plans at its start, so a signal would add an event and a
 * second plan. Usually the workflow is not running.
 */
async function signalDelivery({ client, taskQueue }: WorkflowTarget, target: DeliverySignal): Promise<void> {
  const start = buildDeliveryStart(taskQueue, target);
  try {
    await client.workflow.start('deliveryWorkflow', { ...start, workflowIdConflictPolicy: 'FAIL' });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    // If it ends before the signal arrives, this starts it again.
    const signal = target.isPublic ? 'deliver' : 'withdraw';
    await client.workflow.signalWithStart('deliveryWorkflow', { ...start, signal, signalArgs: [] });
  }
}

/** Signals a command of the author. */
export async function signalCommand({ client, taskQueue }: WorkflowTarget, target: DeliverySignal): Promise<void> {
  await client.workflow.signalWithStart('deliveryWorkflow', {
    ...buildDeliveryStart(taskQueue, target),
    signal: 'command',
    signalArgs: [],
  });
}

/** As `signalCommand`, but only to a running workflow. Returns false if none is running. */
export async function signalRunning(
  { client }: WorkflowTarget,
  { articleId, destination }: { articleId: string; destination: DestinationKey },
): Promise<boolean> {
  const workflow = client.workflow.getHandle(buildDeliveryWorkflowId(articleId, destination));
  try {
    await workflow.signal('command');
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

function buildDeliveryStart(taskQueue: string, target: DeliverySignal) {
  return {
    taskQueue,
    workflowId: buildDeliveryWorkflowId(target.articleId, target.destination),
    args: [{ articleId: target.articleId, destination: target.destination }],
    staticSummary: summarise(target, target.destination),
    typedSearchAttributes: [
      { key: SEARCH_ATTRIBUTES.author, value: target.username },
      { key: SEARCH_ATTRIBUTES.slug, value: target.slug },
      { key: SEARCH_ATTRIBUTES.destination, value: target.destination },
      { key: SEARCH_ATTRIBUTES.outcome, value: 'sending' satisfies DeliveryOutcome },
    ],
  };
}

export async function signalImport(
  { client, taskQueue }: WorkflowTarget,
  { importId, source, username }: { importId: string; source: string; username: string },
): Promise<void> {
  await client.workflow.signalWithStart('importWorkflow', {
    taskQueue,
    workflowId: buildImportWorkflowId(importId),
    args: [{ importId, failures: 0 }],
    signal: 'importChanged',
    signalArgs: [],
    priority: { priorityKey: 4 },
    staticSummary: `${username}: import from ${source}`,
    typedSearchAttributes: [
      { key: SEARCH_ATTRIBUTES.author, value: username },
      { key: SEARCH_ATTRIBUTES.outcome, value: 'pending' },
    ],
  });
}

/** Idempotent, because the dispatcher may repeat it. */
export async function startMail(
  { client, taskQueue }: WorkflowTarget,
  { mailId, kind }: { mailId: string; kind: string },
): Promise<void> {
  try {
    await client.workflow.start('mailWorkflow', {
      taskQueue,
      workflowId: buildMailWorkflowId(mailId),
      // A terminated one can start again: its row ensures that at most one mail is sent.
      workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
      workflowIdConflictPolicy: 'USE_EXISTING',
      args: [{ mailId }],
      staticSummary: `mail: ${kind}`,
      typedSearchAttributes: [{ key: SEARCH_ATTRIBUTES.outcome, value: 'pending' }],
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

/**
 * Returns false if it is running, or has completed unless duplicates are allowed. A terminated one
 * can start again: its row ensures that at most one mail is sent per author and day.
 */
export async function startDigest(
  { client, taskQueue }: WorkflowTarget,
  { userId, username, date }: { userId: string; username: string; date: string },
  workflowIdReusePolicy: 'ALLOW_DUPLICATE' | 'ALLOW_DUPLICATE_FAILED_ONLY',
): Promise<boolean> {
  try {
    await client.workflow.start('digestWorkflow', {
      taskQueue,
      workflowId: buildDigestWorkflowId(userId, date),
      workflowIdReusePolicy,
      workflowIdConflictPolicy: 'FAIL',
      priority: { priorityKey: 5 },
      args: [{ userId, date }],
      staticSummary: `${username}: digest of ${date}`,
      typedSearchAttributes: [
        { key: SEARCH_ATTRIBUTES.author, value: username },
        { key: SEARCH_ATTRIBUTES.outcome, value: 'pending' },
      ],
    });
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}
