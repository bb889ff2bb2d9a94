/**
 * Wakes due articles and deliveries that have no running workflow; a Schedule runs it every few
 * minutes. The Schedule and recorded histories contain the names `watchWorkflow` and
 * `wakeForgotten`.
 */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { RECORD_OPTIONS } from './options.ts';

const { wakeForgotten } = proxyActivities<Activities>(RECORD_OPTIONS);

export async function watchWorkflow(): Promise<string> {
  const woken = await wakeForgotten();
  return woken === 0 ? 'nothing was stalled' : `${woken} articles were woken`;
}
