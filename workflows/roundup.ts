/** The roundup of the week that ended before the moment it was scheduled for, however late it runs. */
import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { RECORD_OPTIONS } from './options.ts';

const { publishRoundup } = proxyActivities<Activities>(RECORD_OPTIONS);

export async function roundupWorkflow(): Promise<string> {
  const { searchAttributes, startTime } = workflowInfo();
  // The server sets it where a Schedule started this; absent where a person did.
  const [scheduled] = searchAttributes.TemporalScheduledStartTime ?? [];
  const at = scheduled instanceof Date ? scheduled : startTime;
  const { week, entries } = await publishRoundup({ at: at.toISOString() });
  return entries === 0 ? `${week}: nothing to feature` : `${week}: ${entries} featured`;
}
