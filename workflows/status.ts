/** Status and outcome of a workflow in the Temporal UI. */
import { setCurrentDetails, setHandler, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { SEARCH_ATTRIBUTES } from '../temporal/names.ts';
import { statusQuery } from './messages.ts';

/** Shows a one-line status as query and details; returns its setter. Precedes the first await. */
export function showStatus(first: string): (text: string) => void {
  let status = first;
  setHandler(statusQuery, () => status);
  return (text) => {
    status = text;
    setCurrentDetails(text);
  };
}

/** Skips unchanged values, because each upsert adds an event to the history. */
export function showOutcome(value: string): void {
  const key = SEARCH_ATTRIBUTES.outcome;
  if (workflowInfo().typedSearchAttributes.get(key) !== value) upsertSearchAttributes([{ key, value }]);
}
