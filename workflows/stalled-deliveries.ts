/** The watch, started by a Schedule every few minutes: articles that are due and deliveries that wait, whose actor is gone, are woken. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { RECORD_OPTIONS } from './options.ts';

const { wakeForgotten } = proxyActivities<Activities>(RECORD_OPTIONS);

export async function watchWorkflow(): Promise<string> {
  const woken = await wakeForgotten();
  return woken === 0 ? 'nothing was forgotten' : `${woken} articles were woken`;
}
