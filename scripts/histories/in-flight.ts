/** What becomes of a delivery while the end of an attempt is not known, or something else becomes due in the middle of one. */
import { sql } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import { skipDelivery, withdrawDelivery } from '../../store/deliveries/commands.ts';
import type { DeliveryWorld } from '../../test/support/delivery.ts';
import { eventually } from '../../test/support/eventually.ts';
import {
  beginStory,
  carries,
  deliveredStory,
  faultsBegun,
  plainScenarios,
  publishStory,
  type Scenario,
  waits,
} from './story.ts';

export function inFlightScenarios(world: DeliveryWorld): Scenario[] {
  const { db } = world.api;
  const simply = plainScenarios(world);
  /** Between the plan and the call that was planned. */
  const disconnected = (name: string, destination: DestinationKey): Scenario => ({
    name,
    async play() {
      const story = await publishStory(world, await beginStory(world, destination, { drop: 'after', delayMs: 700 }));
      await faultsBegun(world);
      await betweenPlanAndCall(world, (tx) =>
        sql`delete from connections where user_id = ${story.author.id}`.execute(tx),
      );
      await story.reaches('held');
      return story.deliveryEnds();
    },
  });

  return [
    simply(
      'delivery-look-up-unanswered',
      'blogsite_a',
      'delivered',
      { drop: 'after' },
      { action: 'find', status: 503 },
    ),
    simply(
      'delivery-look-up-rate-limited',
      'blogsite_a',
      'delivered',
      { drop: 'after' },
      { action: 'find', status: 429, headers: { 'retry-after': '1' } },
    ),
    simply('delivery-repeat-unanswered', 'social_feed', 'unknown', { drop: 'after', times: 2 }),
    {
      // The repeat is taken for another article's post.
      name: 'delivery-repeat-was-a-duplicate',
      async play() {
        const begun = await beginStory(world, 'social_feed');
        const same = { canonical_url: 'https://shared.example/post' };
        const first = await publishStory(world, begun, { ...same, id: 'shared-1' });
        await first.reaches('delivered');
        await world.faults([{ platform: 'social_feed', action: 'create', times: 1, drop: 'before' }]);
        const second = await publishStory(world, begun, { ...same, id: 'shared-2' });
        await second.reaches('failed');
        return second.deliveryEnds();
      },
    },
    {
      name: 'delivery-update-cut',
      async play() {
        const story = await deliveredStory(world, 'blogsite_a');
        await world.faults([{ platform: 'blogsite_a', action: 'update', times: 1, drop: 'after' }]);
        await story.publish({}, 'Other words.\n');
        await carries(story, 2);
        return story.deliveryEnds();
      },
    },
    {
      // Another publish has a patience of its own.
      name: 'delivery-published-in-the-pause',
      async play() {
        const limited = { status: 429, headers: { 'retry-after': '4' } };
        const story = await publishStory(world, await beginStory(world, 'blogsite_a', limited, { status: 503 }));
        await waits(world, story, 'rate_limited');
        await story.publish({}, 'Newer words.\n');
        await carries(story, 2);
        return story.deliveryEnds();
      },
    },
    {
      // What is on its way arrives, and is taken back.
      name: 'delivery-withdrawn-in-flight',
      async play() {
        const story = await publishStory(world, await beginStory(world, 'blogsite_a', { delayMs: 1_000 }));
        await faultsBegun(world);
        const run = await story.deliveryRuns();
        await withdrawDelivery(db, story.target());
        await story.deliveryEnds();
        return run;
      },
    },
    {
      // While the post's tags are made ready its author skips it: nothing is sent.
      name: 'delivery-skipped-before-sent',
      async play() {
        const slow = { action: 'prepare', delayMs: 1_000 } as const;
        const story = await publishStory(world, await beginStory(world, 'cms_site', slow), { tags: ['stories'] });
        await faultsBegun(world);
        const run = await story.deliveryRuns();
        await skipDelivery(db, story.target());
        // The word itself comes when all is over, and has a run of its own.
        await story.deliveryEnds();
        return run;
      },
    },
    disconnected('delivery-disconnected-before-look-up', 'blogsite_a'),
    disconnected('delivery-disconnected-before-repeat', 'social_feed'),
    {
      // By an operator, over the Temporal UI.
      name: 'delivery-cancelled',
      async play() {
        const story = await publishStory(world, await beginStory(world, 'blogsite_a', { delayMs: 1_000 }));
        await faultsBegun(world);
        const run = await story.deliveryRuns();
        const actor = world.client.workflow.getHandle(run.workflowId, run.runId);
        await actor.cancel();
        await eventually('the end', async () => (await actor.describe()).status.name === 'CANCELLED');
        return run;
      },
    },
  ];
}

type Transaction = Parameters<Parameters<ReturnType<DeliveryWorld['api']['db']['transaction']>['execute']>[0]>[0];

/** Both read the connections: they are let at them one by one, and `change` gets its turn between the two. */
async function betweenPlanAndCall(
  { api: { db } }: DeliveryWorld,
  change: (tx: Transaction) => Promise<unknown>,
): Promise<void> {
  const queued = (readers: number) =>
    eventually('the connections to be waited for', async () => {
      const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting from pg_locks
        where relation = 'connections'::regclass and not granted`.execute(db);
      return (rows[0]?.waiting ?? 0) >= readers;
    });
  let changed: Promise<unknown> = Promise.resolve();
  await db.transaction().execute(async (first) => {
    await sql`lock table connections in access exclusive mode`.execute(first);
    await queued(1);
    changed = db.transaction().execute(async (second) => {
      await sql`lock table connections in access exclusive mode`.execute(second);
      await change(second);
    });
    await queued(2);
  });
  await changed;
}
