/** Starts the workflow of a digest, at most one per author and day. */
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { buildDigestWorkflowId, SEARCH_ATTRIBUTES } from './names.ts';
import type { WorkflowTarget } from './signals.ts';

interface NewDigest {
  userId: string;
  username: string;
  date: string;
}

/**
 * Returns false if it is running or has completed. A terminated one can start again: its row
 * ensures that at most one mail is sent.
 */
export function startDigest(workflows: WorkflowTarget, digest: NewDigest): Promise<boolean> {
  return start(workflows, digest, 'ALLOW_DUPLICATE_FAILED_ONLY');
}

/** For a workflow that completed without opening the digest. Returns false if it is running. */
export function startDigestAgain(workflows: WorkflowTarget, digest: NewDigest): Promise<boolean> {
  return start(workflows, digest, 'ALLOW_DUPLICATE');
}

async function start(
  { client, taskQueue }: WorkflowTarget,
  { userId, username, date }: NewDigest,
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
