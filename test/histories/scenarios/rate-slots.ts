/** Scenarios of deliveries that wait for a rate slot or behind a blocked account. */
import { sql } from 'kysely';
import { forem } from '../../../destinations/forem/index.ts';
import { blockConnection } from '../../../store/connections/rate-budget.ts';
import { retryDelivery, skipDelivery } from '../../../store/deliveries/commands.ts';
import type { DeliveryWorld } from '../../support/delivery/delivery.ts';
import { type PublishedStory, prepareStory, publishStory, type Scenario, waitForPause } from './story.ts';

export function createRateSlotScenarios(world: DeliveryWorld): Scenario[] {
  const { db } = world.api;
  const { intervalMs, burst } = forem.limits.pacing;
  /** Publishes an article with a rate slot `seconds` away, as if earlier slots were reserved. */
  const publishBeforeSlot = async (seconds: number): Promise<PublishedStory> => {
    const prepared = await prepareStory(world, 'blogsite_a');
    const secs = seconds + (intervalMs * (burst - 1)) / 1_000;
    await sql`update connections set arrival_at = clock_timestamp() + make_interval(secs => ${secs})
      where user_id = ${prepared.author.id}`.execute(db);
    const story = await publishStory(world, prepared);
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
      // A retry does not advance the slot. The wait exceeds the sweep interval of the outbox,
      // because nothing else signals the command.
      name: 'delivery-retried-before-rate-slot',
      async play() {
        const story = await publishBeforeSlot(15);
        await retryDelivery(db, story.buildTarget());
        await story.waitForState('delivered');
        return story.waitForDeliveryEnd();
      },
    },
    {
      // Another delivery of the account has received a 429 meanwhile.
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
