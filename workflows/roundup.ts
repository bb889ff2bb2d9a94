/** The roundup of the last week that ended before the scheduled time, however late it runs. */
import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { RECORD_OPTIONS } from './options.ts';

const { publishRoundup } = proxyActivities<Activities>(RECORD_OPTIONS);

export async function roundupWorkflow(): Promise<string> {
  const { searchAttributes, startTime } = workflowInfo();
  // The server sets it when a Schedule starts the workflow; it is absent when a person does.
  const [scheduled] = searchAttributes.TemporalScheduledStartTime ?? [];
  const at = scheduled instanceof Date ? scheduled : startTime;
  const { week, entries } = await publishRoundup({ at: at.toISOString() });
  return entries === 0 ? `${week}: nothing to feature` : `${week}: ${entries} featured`;
}
