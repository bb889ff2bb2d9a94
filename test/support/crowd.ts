/** What tests of crowds share: platforms whose rates run faster than real time, and what a delivery has cost so far. */
import type { Client } from '@temporalio/client';
import type { DestinationKey } from '../../article/types.ts';
import { findDestination } from '../../destinations/registry.ts';
import type { Destination, DestinationClient, Outcome, Platform } from '../../destinations/types.ts';
import { buildDeliveryWorkflowId } from '../../temporal/names.ts';

/** A platform whose pacing, and whose `Retry-After`, are so many times shorter, for a stand-in whose clock runs as much faster. */
export function speedUp(platform: Platform, speed: number): Destination | null {
  const destination = findDestination(platform);
  if (!destination) return null;
  const { intervalMs, burst } = destination.limits.pacing;
  const hurry = <T>(outcome: Outcome<T>): Outcome<T> =>
    outcome.kind === 'rateLimited' && outcome.retryAfterMs !== null
      ? { ...outcome, retryAfterMs: outcome.retryAfterMs / speed }
      : outcome;
  return {
    ...destination,
    limits: { ...destination.limits, pacing: { intervalMs: intervalMs / speed, burst } },
    createClient(options) {
      const onPause = (ms: number) => options.onPause?.(ms / speed);
      const client: DestinationClient<unknown> = destination.createClient({ ...options, onPause });
      return {
        ...client,
        create: async (payload) => hurry(await client.create(payload)),
        find: async (keys) => hurry(await client.find(keys)),
      };
    },
  };
}

/** How many activities, local ones included, each of these deliveries has had so far. */
export function countActivities(
  client: Client,
  articleIds: readonly string[],
  destination: DestinationKey,
): Promise<number[]> {
  return Promise.all(
    articleIds.map(async (id) => {
      const { events } = await client.workflow.getHandle(buildDeliveryWorkflowId(id, destination)).fetchHistory();
      return (events ?? []).filter(
        ({ activityTaskScheduledEventAttributes, markerRecordedEventAttributes }) =>
          activityTaskScheduledEventAttributes || markerRecordedEventAttributes?.markerName === 'core_local_activity',
      ).length;
    }),
  );
}
