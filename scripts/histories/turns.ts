/** What becomes of a delivery that stands in line: the account's turn is hours or seconds away, or is void when it comes. */
import { sql } from 'kysely';
import { forem } from '../../destinations/forem/index.ts';
import { blockConnection } from '../../store/connections/rate-slots.ts';
import { retryDelivery, skipDelivery } from '../../store/deliveries/commands.ts';
import type { DeliveryWorld } from '../../test/support/delivery.ts';
import { beginStory, type PublishedStory, publishStory, type Scenario, waits } from './story.ts';

export function turnScenarios(world: DeliveryWorld): Scenario[] {
  const { db } = world.api;
  const { intervalMs, burst } = forem.limits.pacing;
  /** An article whose turn comes in so many seconds: others were there before it. */
  const inLine = async (seconds: number): Promise<PublishedStory> => {
    const begun = await beginStory(world, 'blogsite_a');
    const secs = seconds + (intervalMs * (burst - 1)) / 1_000;
    await sql`update connections set arrival_at = clock_timestamp() + make_interval(secs => ${secs})
      where user_id = ${begun.author.id}`.execute(db);
    const story = await publishStory(world, begun);
    await waits(world, story, null);
    return story;
  };

  return [
    {
      name: 'delivery-skipped-in-line',
      async play() {
        const story = await inLine(600);
        await skipDelivery(db, story.target());
        return story.deliveryEnds();
      },
    },
    {
      // Which brings its turn no nearer. The outbox looks every few seconds for what was not said to it.
      name: 'delivery-retried-in-line',
      async play() {
        const story = await inLine(15);
        await retryDelivery(db, story.target());
        await story.reaches('delivered');
        return story.deliveryEnds();
      },
    },
    {
      // Another delivery of the account met a 429 meanwhile.
      name: 'delivery-blocked-at-its-turn',
      async play() {
        const story = await inLine(2);
        const rows = db.selectFrom('connections').select('id').where('userId', '=', story.author.id);
        await blockConnection(db, (await rows.executeTakeFirstOrThrow()).id, 4_000);
        await story.reaches('delivered');
        return story.deliveryEnds();
      },
    },
  ];
}
