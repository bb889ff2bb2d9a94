/** Queries for finding deliveries in the Temporal UI. */
import type { DeliveryOutcome } from '../../delivery/outcome.ts';

export interface SavedQuery {
  name: string;
  query: string;
}

/** Each query lists runs; a retried delivery has several. */
export const SAVED_QUERIES: readonly SavedQuery[] = [
  { name: 'Failed', query: buildRunQuery('failed', 'Failed') },
  { name: 'Unknown', query: buildRunQuery('unknown', 'Failed') },
  { name: 'Retrying', query: buildRunQuery('retrying', 'Running') },
  { name: 'Waiting', query: buildRunQuery('waiting', 'Running') },
  { name: 'Held', query: buildRunQuery('held', 'Completed') },
];

export function buildAuthorQuery(username: string): SavedQuery {
  return { name: `Of ${username}`, query: `CourantAuthor = "${username}"` };
}

/** `ui`: the namespace's address, such as `http://localhost:8233/namespaces/default`. */
export function buildQueryUrl(ui: string, query: string): string {
  return `${ui}/workflows?query=${encodeURIComponent(query)}`;
}

function buildRunQuery(outcome: DeliveryOutcome, status: 'Running' | 'Completed' | 'Failed'): string {
  return `WorkflowType = "deliveryWorkflow" and CourantOutcome = "${outcome}" and ExecutionStatus = "${status}"`;
}
