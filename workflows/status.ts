/** What operators see of a workflow in the Temporal UI. */
import { setCurrentDetails, setHandler, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { DeliveryOutcome } from '../delivery/outcome.ts';
import { SEARCH_ATTRIBUTES } from '../temporal/names.ts';
import { statusQuery } from './messages.ts';

/** One line on what the workflow is doing, as a query and as its details. Call it before the first await; returns the function that changes the line. */
export function showStatus(first: string): (text: string) => void {
  let status = first;
  setHandler(statusQuery, () => status);
  return (text) => {
    status = text;
    setCurrentDetails(text);
  };
}

/** Each change is an event of the history, so what is set already is not set again. */
export function showOutcome(value: DeliveryOutcome): void {
  const key = SEARCH_ATTRIBUTES.outcome;
  if (workflowInfo().typedSearchAttributes.get(key) !== value) upsertSearchAttributes([{ key, value }]);
}
