/** What our own database does to the actors: away for seconds, or so slow that a workflow task is renewed in the middle of a record. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { DeliveryWorld } from '../../test/support/delivery.ts';
import { eventually } from '../../test/support/eventually.ts';
import { beginStory, faultsBegun, inSeconds, outboxEmpty, publishStory, type Run, type Scenario } from './story.ts';

/** A workflow task that waits for a local activity is renewed after 8 s; the activity itself is given up after 10. */
const SLOW = { longMs: 4_000, restMs: 5_000 };

export function databaseScenarios(world: DeliveryWorld): Scenario[] {
  const { db } = world.api;

  /** Nobody gets at the table; a word that comes meanwhile is heard when the task is renewed, before the table is free. */
  const slowly = async (table: string, run: Run, signal: string): Promise<void> => {
    await db.transaction().execute(async (tx) => {
      await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(tx);
      const actor = world.client.workflow.getHandle(run.workflowId, run.runId);
      await eventually('the actor to wait for the table', async () => {
        const { pendingWorkflowTask } = (await actor.describe()).raw;
        return Date.now() - Number(pendingWorkflowTask?.startedTime?.seconds ?? Infinity) * 1_000 > SLOW.longMs;
      });
      await actor.signal(signal, { dispatch: 1 });
      await sleep(SLOW.restMs);
    });
  };

  return [
    {
      // For so long that the pauses between the tries of a record become timers.
      name: 'delivery-database-away',
      async play() {
        const story = await publishStory(world, await beginStory(world, 'blogsite_a', { delayMs: 1_000 }));
        await faultsBegun(world);
        await sql`alter table notifications rename to notifications_away`.execute(db);
        await sleep(7_000);
        await sql`alter table notifications_away rename to notifications`.execute(db);
        await story.reaches('delivered');
        return story.deliveryEnds();
      },
    },
    {
      name: 'delivery-database-slow',
      async play() {
        const story = await publishStory(world, await beginStory(world, 'blogsite_a', { delayMs: 1_000 }));
        await faultsBegun(world);
        await slowly('notifications', await story.deliveryRuns(), 'deliver');
        await story.reaches('delivered');
        return story.deliveryEnds();
      },
    },
    {
      name: 'article-database-slow',
      async play() {
        const begun = await beginStory(world, 'blogsite_a');
        const story = await publishStory(world, begun, { scheduled_at: inSeconds(3) });
        await outboxEmpty(world);
        await slowly('deliveries', await story.articleRuns(), 'articleChanged');
        await story.reaches('delivered');
        return story.articleEnds();
      },
    },
  ];
}
