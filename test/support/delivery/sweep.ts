/** Runs the scheduled search for stalled deliveries once in the worker of the test. */
import { markdown } from '../api/api.ts';
import type { DeliveryWorld } from './delivery.ts';
import { waitForOutbox } from './publishing.ts';

let sweeps = 0;

/** Resolves when the workflows of all stalled deliveries are signalled. */
export async function sweepStalled(world: DeliveryWorld): Promise<void> {
  const { taskQueue } = world.api;
  const workflowId = `sweep-${taskQueue}-${++sweeps}`;
  await world.client.workflow.execute('stalledSweepWorkflow', { taskQueue, workflowId, args: [] });
  // A publish starts the dispatcher, which would otherwise poll some seconds later.
  await world.api.publish({ content: markdown({ title: `Nudge ${sweeps}` }) });
  await waitForOutbox(world);
}
