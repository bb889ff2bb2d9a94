/** The scheduled search for stalled deliveries, run once by the worker of the test. */
import { markdown } from './api.ts';
import type { DeliveryWorld } from './delivery.ts';
import { waitForOutbox } from './publishing.ts';

let sweeps = 0;

/** Resolves when the actors have been signalled about everything that it found. */
export async function sweepStalled(world: DeliveryWorld): Promise<void> {
  const { taskQueue } = world.api;
  const workflowId = `sweep-${taskQueue}-${++sweeps}`;
  await world.client.workflow.execute('watchWorkflow', { taskQueue, workflowId, args: [] });
  // A publish nudges the dispatcher, which would look by itself some seconds later.
  await world.api.publish({ content: markdown({ title: `Nudge ${sweeps}` }) });
  await waitForOutbox(world);
}
