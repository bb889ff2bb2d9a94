/** The peers: workflows that do nothing but what cannot be left out. */
import { proxyActivities, sleep } from '@temporalio/workflow';

const { touch } = proxyActivities<{ touch(): Promise<number> }>({ startToCloseTimeout: '10s' });

/** One activity. */
export async function bareWorkflow(): Promise<number> {
  return touch();
}

/** A timer, then one activity; answers when that ran, in epoch milliseconds. */
export async function bareTimerWorkflow(due: number): Promise<number> {
  await sleep(due - Date.now());
  return touch();
}
