/** Lists the timers that the newest run of a workflow has started, in order. */
import type { Client } from '@temporalio/client';

/** In milliseconds. */
export async function listWaits(client: Client, workflowId: string): Promise<number[]> {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).flatMap(({ timerStartedEventAttributes: timer }) => {
    const { seconds, nanos } = timer?.startToFireTimeout ?? {};
    return timer ? [Number(seconds ?? 0) * 1_000 + (nanos ?? 0) / 1_000_000] : [];
  });
}
