/** One line on what a workflow is doing: as a query, and as the details that the Temporal UI shows. */
import { setCurrentDetails, setHandler } from '@temporalio/workflow';
import { statusQuery } from './messages.ts';

/** To be called before the first await. Answers how to change the line. */
export function showStatus(first: string): (text: string) => void {
  let status = first;
  setHandler(statusQuery, () => status);
  return (text) => {
    status = text;
    setCurrentDetails(text);
  };
}
