/** The peer workflows: the smallest possible ones. */
import { proxyActivities, sleep } from '@temporalio/workflow';

const { touch } = proxyActivities<{ touch(): Promise<number> }>({ startToCloseTimeout: '10s' });

/** One activity. */
export async function bareWorkflow(): Promise<number> {
  return touch();
}

/** A timer, then one activity. Returns the time of the activity in epoch milliseconds. */
export async function bareTimerWorkflow(due: number): Promise<number> {
  await sleep(due - Date.now());
  return touch();
}
