/** Deliveries that wait for the account's rate slot, which is minutes or seconds away, or is blocked when it comes. */
import { sql } from 'kysely';
import { forem } from '../../destinations/forem/index.ts';
import { blockConnection } from '../../store/connections/rate-budget.ts';
import { retryDelivery, skipDelivery } from '../../store/deliveries/commands.ts';
import type { DeliveryWorld } from '../../test/support/delivery.ts';
import { beginStory, type PublishedStory, publishStory, type Scenario, waitForPause } from './story.ts';

export function createRateSlotScenarios(world: DeliveryWorld): Scenario[] {
  const { db } = world.api;
  const { intervalMs, burst } = forem.limits.pacing;
  /** Publishes an article whose rate slot comes in so many seconds, as if earlier slots were taken. */
  const publishBeforeSlot = async (seconds: number): Promise<PublishedStory> => {
    const begun = await beginStory(world, 'blogsite_a');
    const secs = seconds + (intervalMs * (burst - 1)) / 1_000;
    await sql`update connections set arrival_at = clock_timestamp() + make_interval(secs => ${secs})
      where user_id = ${begun.author.id}`.execute(db);
    const story = await publishStory(world, begun);
    await waitForPause(world, story, null);
    return story;
  };

  return [
    {
      name: 'delivery-skipped-before-rate-slot',
      async play() {
        const story = await publishBeforeSlot(600);
        await skipDelivery(db, story.buildTarget());
        return story.waitForDeliveryEnd();
      },
    },
    {
      // A retry does not bring the slot forward. The wait is longer than the outbox's sweep, since nothing nudges it about the command.
      name: 'delivery-retried-before-rate-slot',
      async play() {
        const story = await publishBeforeSlot(15);
        await retryDelivery(db, story.buildTarget());
        await story.waitForState('delivered');
        return story.waitForDeliveryEnd();
      },
    },
    {
      // Another delivery of the account has met a 429 meanwhile.
      name: 'delivery-blocked-at-rate-slot',
      async play() {
        const story = await publishBeforeSlot(2);
        const rows = db.selectFrom('connections').select('id').where('userId', '=', story.author.id);
        await blockConnection(db, (await rows.executeTakeFirstOrThrow()).id, 4_000);
        await story.waitForState('delivered');
        return story.waitForDeliveryEnd();
      },
    },
  ];
}
