/**
 * Wakes stalled deliveries: a Schedule runs it every few minutes to find articles that are due and deliveries that wait whose workflow is
 * gone. `watchWorkflow` and `wakeForgotten` are the names on the wire (in the Schedule and in recorded histories), so they stay.
 */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { RECORD_OPTIONS } from './options.ts';

const { wakeForgotten } = proxyActivities<Activities>(RECORD_OPTIONS);

export async function watchWorkflow(): Promise<string> {
  const woken = await wakeForgotten();
  return woken === 0 ? 'nothing was stalled' : `${woken} articles were woken`;
}
