/** Scenarios of deliveries with an unknown outcome or with a change during an attempt. */
import { sql } from 'kysely';
import type { DestinationKey } from '../../../article/types.ts';
import { skipDelivery, withdrawDelivery } from '../../../store/deliveries/commands.ts';
import type { DeliveryWorld } from '../../support/delivery/delivery.ts';
import { waitForFaults } from '../../support/delivery/publishing.ts';
import { eventually } from '../../support/eventually.ts';
import {
  createPlainScenario,
  prepareStory,
  publishDelivered,
  publishStory,
  type Scenario,
  waitForPause,
  waitForRevision,
} from './story.ts';

export function createInFlightScenarios(world: DeliveryWorld): Scenario[] {
  const { db } = world.api;
  const plain = createPlainScenario(world);
  /** The connection is deleted after the call is planned and before it is sent. */
  const createDisconnected = (name: string, destination: DestinationKey): Scenario => ({
    name,
    async play() {
      const story = await publishStory(world, await prepareStory(world, destination, { drop: 'after', delayMs: 700 }));
      await waitForFaults(world);
      await changeBetweenPlanAndCall(world, (tx) =>
        sql`delete from connections where user_id = ${story.author.id}`.execute(tx),
      );
      await story.waitForState('held');
      return story.waitForDeliveryEnd();
    },
  });

  return [
    plain('delivery-look-up-unanswered', 'blogsite_a', 'delivered', { drop: 'after' }, { action: 'find', status: 503 }),
    plain(
      'delivery-look-up-rate-limited',
      'blogsite_a',
      'delivered',
      { drop: 'after' },
      { action: 'find', status: 429, headers: { 'retry-after': '1' } },
    ),
    plain('delivery-repeat-unanswered', 'social_feed', 'unknown', { drop: 'after', times: 2 }),
    {
      // The platform responds to the repeated create with the post of another article.
      name: 'delivery-repeat-refused-as-duplicate',
      async play() {
        const prepared = await prepareStory(world, 'social_feed');
        const same = { canonical_url: 'https://shared.example/post' };
        const first = await publishStory(world, prepared, { ...same, id: 'shared-1' });
        await first.waitForState('delivered');
        await world.faults([{ platform: 'social_feed', action: 'create', times: 1, drop: 'before' }]);
        const second = await publishStory(world, prepared, { ...same, id: 'shared-2' });
        await second.waitForState('failed');
        return second.waitForDeliveryEnd();
      },
    },
    {
      name: 'delivery-update-cut',
      async play() {
        const story = await publishDelivered(world, 'blogsite_a');
        await world.faults([{ platform: 'blogsite_a', action: 'update', times: 1, drop: 'after' }]);
        await story.publish({}, 'Other words.\n');
        await waitForRevision(story, 2);
        return story.waitForDeliveryEnd();
      },
    },
    {
      // Another publish starts with a new retry state.
      name: 'delivery-republished-while-waiting',
      async play() {
        const limited = { status: 429, headers: { 'retry-after': '4' } };
        const story = await publishStory(world, await prepareStory(world, 'blogsite_a', limited, { status: 503 }));
        await waitForPause(world, story, 'rate_limited');
        await story.publish({}, 'Newer words.\n');
        await waitForRevision(story, 2);
        return story.waitForDeliveryEnd();
      },
    },
    {
      // The running create is completed and then withdrawn.
      name: 'delivery-withdrawn-in-flight',
      async play() {
        const story = await publishStory(world, await prepareStory(world, 'blogsite_a', { delayMs: 1_000 }));
        await waitForFaults(world);
        const run = await story.findDeliveryRun();
        await withdrawDelivery(db, story.buildTarget());
        await story.waitForDeliveryEnd();
        return run;
      },
    },
    {
      // The author skips the delivery while its tags are prepared, so nothing is sent.
      name: 'delivery-skipped-before-sent',
      async play() {
        const slowPrepare = { action: 'prepare', delayMs: 1_000 } as const;
        const story = await publishStory(world, await prepareStory(world, 'cms_site', slowPrepare), {
          tags: ['stories'],
        });
        await waitForFaults(world);
        const run = await story.findDeliveryRun();
        await skipDelivery(db, story.buildTarget());
        // The signal of the command arrives after this run has ended, and starts another run.
        await story.waitForDeliveryEnd();
        return run;
      },
    },
    createDisconnected('delivery-disconnected-before-look-up', 'blogsite_a'),
    createDisconnected('delivery-disconnected-before-repeat', 'social_feed'),
    {
      // An operator can cancel it in the Temporal UI.
      name: 'delivery-cancelled',
      async play() {
        const story = await publishStory(world, await prepareStory(world, 'blogsite_a', { delayMs: 1_000 }));
        await waitForFaults(world);
        const run = await story.findDeliveryRun();
        const actor = world.client.workflow.getHandle(run.workflowId, run.runId);
        await actor.cancel();
        await eventually('the end', async () => (await actor.describe()).status.name === 'CANCELLED');
        return run;
      },
    },
  ];
}

type Transaction = Parameters<Parameters<ReturnType<DeliveryWorld['api']['db']['transaction']>['execute']>[0]>[0];

/**
 * Plan and call both read the connections. Locks make them read in sequence, with `change` in
 * between.
 */
async function changeBetweenPlanAndCall(
  { api: { db } }: DeliveryWorld,
  change: (tx: Transaction) => Promise<unknown>,
): Promise<void> {
  const waitForReaders = (readers: number) =>
    eventually('a reader to wait for the connections', async () => {
      const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting from pg_locks
        where relation = 'connections'::regclass and not granted`.execute(db);
      return (rows[0]?.waiting ?? 0) >= readers;
    });
  let changed: Promise<unknown> = Promise.resolve();
  await db.transaction().execute(async (first) => {
    await sql`lock table connections in access exclusive mode`.execute(first);
    await waitForReaders(1);
    changed = db.transaction().execute(async (second) => {
      await sql`lock table connections in access exclusive mode`.execute(second);
      await change(second);
    });
    await waitForReaders(2);
  });
  await changed;
}
