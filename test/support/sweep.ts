/** The scheduled search for stalled deliveries, run once by the worker of the test. */
import type { DeliveryWorld } from './delivery.ts';
import { waitForOutbox } from './publishing.ts';

let sweeps = 0;

/** Resolves when the actors have been signalled about everything that it found. */
export async function sweepStalled(world: DeliveryWorld): Promise<string> {
  const { taskQueue } = world.api;
  const workflowId = `sweep-${taskQueue}-${++sweeps}`;
  const result = await world.client.workflow.execute('watchWorkflow', { taskQueue, workflowId, args: [] });
  await waitForOutbox(world);
  return String(result);
}
