/** Publishes the roundup of the last week before the scheduled time, even if it runs late. */
import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { RECORD_OPTIONS } from './options.ts';

const { publishRoundup } = proxyActivities<Activities>(RECORD_OPTIONS);

export async function roundupWorkflow(): Promise<string> {
  const { searchAttributes, startTime } = workflowInfo();
  // Set by the server if a Schedule started the workflow; absent if a person did.
  const [scheduled] = searchAttributes.TemporalScheduledStartTime ?? [];
  const at = scheduled instanceof Date ? scheduled : startTime;
  const { week, entries } = await publishRoundup({ at: at.toISOString() });
  return entries === 0 ? `${week}: nothing to feature` : `${week}: ${entries} featured`;
}
