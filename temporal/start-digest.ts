/** Starts the workflow of one digest; one an author and day. */
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { digestWorkflowId, SEARCH_ATTRIBUTES } from './names.ts';
import type { Actors } from './signals.ts';

/** False where it runs or has run to its end. One that was ended from outside can be started again: its row keeps it to one mail. */
export async function startDigest(
  { client, taskQueue }: Actors,
  digest: { userId: string; username: string; date: string },
): Promise<boolean> {
  const { userId, username, date } = digest;
  try {
    await client.workflow.start('digestWorkflow', {
      taskQueue,
      workflowId: digestWorkflowId(userId, date),
      workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
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
