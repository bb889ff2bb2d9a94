/** One line on what a workflow is doing: as a query, and as the details that the Temporal UI shows. */
import { setCurrentDetails, setHandler } from '@temporalio/workflow';
import { statusQuery } from './messages.ts';

/** Call it before the first await. Returns the function that changes the line. */
export function showStatus(first: string): (text: string) => void {
  let status = first;
  setHandler(statusQuery, () => status);
  return (text) => {
    status = text;
    setCurrentDetails(text);
  };
}
