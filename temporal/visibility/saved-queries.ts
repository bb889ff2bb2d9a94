/** Queries for finding deliveries in the Temporal UI. */
import type { DeliveryOutcome } from '../../delivery/outcome.ts';

export interface SavedQuery {
  name: string;
  query: string;
}

/** Each query lists runs; a retried delivery has several. */
export const SAVED_QUERIES: readonly SavedQuery[] = [
  { name: 'Failed', query: findRuns('failed', 'Failed') },
  { name: 'Unknown', query: findRuns('unknown', 'Failed') },
  { name: 'Retrying', query: findRuns('retrying', 'Running') },
  { name: 'Waiting', query: findRuns('waiting', 'Running') },
  { name: 'Held', query: findRuns('held', 'Completed') },
];

export function buildAuthorQuery(username: string): SavedQuery {
  return { name: `Of ${username}`, query: `CourantAuthor = "${username}"` };
}

/** `ui`: the namespace's address, such as `http://localhost:8233/namespaces/default`. */
export function buildQueryUrl(ui: string, query: string): string {
  return `${ui}/workflows?query=${encodeURIComponent(query)}`;
}

function findRuns(outcome: DeliveryOutcome, status: 'Running' | 'Completed' | 'Failed'): string {
  return `WorkflowType = "deliveryWorkflow" and CourantOutcome = "${outcome}" and ExecutionStatus = "${status}"`;
}
