/** Helpers for tests with many deliveries: accelerated platforms, and activity counts. */
import type { Client } from '@temporalio/client';
import type { DestinationKey } from '../../../article/types.ts';
import { findDestination } from '../../../destinations/clients.ts';
import type { Destination, DestinationClient, Outcome, Platform } from '../../../destinations/types.ts';
import { buildDeliveryWorkflowId } from '../../../temporal/names.ts';
import type { TestAuthor } from '../api/api.ts';
import { eventually } from '../eventually.ts';
import type { DeliveryWorld } from './delivery.ts';
import { publishArticle } from './publishing.ts';

/**
 * Returns a destination whose pacing and `Retry-After` are `speed` times shorter, for a sandbox
 * with an accelerated clock.
 */
export function shortenWaits(platform: Platform, speed: number): Destination | null {
  const destination = findDestination(platform);
  if (!destination) return null;
  const { intervalMs, burst } = destination.limits.pacing;
  const shortenWait = <T>(outcome: Outcome<T>): Outcome<T> =>
    outcome.kind === 'rateLimited' && outcome.retryAfterMs !== null
      ? { ...outcome, retryAfterMs: outcome.retryAfterMs / speed }
      : outcome;
  return {
    ...destination,
    limits: { ...destination.limits, pacing: { intervalMs: intervalMs / speed, burst } },
    createClient(options) {
      const client: DestinationClient<unknown> = destination.createClient(options);
      return {
        ...client,
        create: async (payload) => shortenWait(await client.create(payload)),
        find: async (keys) => shortenWait(await client.find(keys)),
      };
    },
  };
}

/**
 * Publishes articles whose deliveries are held because of a rejected key, so that a reconnect
 * starts all of them at once. Returns the article ids.
 */
export async function publishHeldCrowd(
  world: DeliveryWorld,
  author: TestAuthor,
  destination: DestinationKey,
  titles: readonly string[],
): Promise<string[]> {
  const { db } = world.api;
  const { id: connectionId } = await world.connect(author, destination);
  await db.updateTable('connections').set({ status: 'unauthorised' }).where('id', '=', connectionId).execute();
  const ids: string[] = [];
  for (const title of titles) {
    ids.push((await publishArticle(world, author, { title, cross_post: { [destination]: true } })).id);
  }
  const held = db
    .selectFrom('deliveryStates')
    .select('deliveryId')
    .where('articleId', 'in', ids)
    .where('state', '=', 'held');
  await eventually('all to be held', async () => (await held.execute()).length === ids.length, { withinMs: 60_000 });
  return ids;
}

/** Counts the activities, including local ones, of each of these deliveries. */
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
