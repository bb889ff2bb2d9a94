/** Wakes due articles and deliveries that have no running workflow. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { RECORD_OPTIONS } from './options.ts';

const { wakeStalledArticles } = proxyActivities<Activities>(RECORD_OPTIONS);

export async function stalledSweepWorkflow(): Promise<string> {
  const woken = await wakeStalledArticles();
  return woken === 0 ? 'nothing was stalled' : `${woken} articles were woken`;
}
