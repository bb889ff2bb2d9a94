/** The peer: a workflow that does nothing but call one activity. */
import { proxyActivities } from '@temporalio/workflow';

const { touch } = proxyActivities<{ touch(): Promise<number> }>({ startToCloseTimeout: '10s' });

export async function bareWorkflow(): Promise<number> {
  return touch();
}
