/** Signals the workflow of an import, or starts it, in one call. */
import { buildImportWorkflowId, SEARCH_ATTRIBUTES } from './names.ts';
import type { WorkflowTarget } from './signals.ts';

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
