/** Starts the workflow of a mail. Idempotent, because the dispatcher may repeat it. */
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { buildMailWorkflowId, SEARCH_ATTRIBUTES } from './names.ts';
import type { WorkflowTarget } from './signals.ts';

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
