/**
 * Scenarios with a database that is unavailable for seconds, or so slow that a workflow task is
 * renewed during a record.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { DeliveryWorld } from '../../support/delivery/delivery.ts';
import { waitForFaults, waitForOutbox } from '../../support/delivery/publishing.ts';
import { eventually } from '../../support/eventually.ts';
import { formatTimeIn, prepareStory, publishStory, type Run, type Scenario } from './story.ts';

/**
 * The server renews a workflow task with a local activity after 8 s. The activity times out after
 * 10 s.
 */
const SLOW = { beforeSignalMs: 4_000, afterSignalMs: 5_000 };

export function createDatabaseScenarios(world: DeliveryWorld): Scenario[] {
  const { db } = world.api;

  /**
   * Locks the table and sends a signal meanwhile. The workflow handles the signal when its task is
   * renewed, before the table is unlocked.
   */
  const signalWhileLocked = async (table: string, run: Run, signal: string): Promise<void> => {
    await db.transaction().execute(async (tx) => {
      await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(tx);
      const actor = world.client.workflow.getHandle(run.workflowId, run.runId);
      await eventually('the actor to wait for the table', async () => {
        const { pendingWorkflowTask } = (await actor.describe()).raw;
        return Date.now() - Number(pendingWorkflowTask?.startedTime?.seconds ?? Infinity) * 1_000 > SLOW.beforeSignalMs;
      });
      await actor.signal(signal, { dispatch: 1 });
      await sleep(SLOW.afterSignalMs);
    });
  };

  return [
    {
      // Unavailable until the delays between retries of the record become timers.
      name: 'delivery-database-unavailable',
      async play() {
        const story = await publishStory(world, await prepareStory(world, 'blogsite_a', { delayMs: 1_000 }));
        await waitForFaults(world);
        await sql`alter table notifications rename to notifications_unavailable`.execute(db);
        await sleep(7_000);
        await sql`alter table notifications_unavailable rename to notifications`.execute(db);
        await story.waitForState('delivered');
        return story.waitForDeliveryEnd();
      },
    },
    {
      // Uses a rejection, which the workflow task records. The activity records a success itself.
      name: 'delivery-database-slow',
      async play() {
        const refused = { status: 422, body: { error: 'Too rude', status: 422 } };
        const story = await publishStory(world, await prepareStory(world, 'blogsite_a', refused));
        await waitForFaults(world);
        await signalWhileLocked('notifications', await story.findDeliveryRun(), 'deliver');
        await story.waitForState('failed');
        return story.waitForDeliveryEnd();
      },
    },
    {
      name: 'article-database-slow',
      async play() {
        const prepared = await prepareStory(world, 'blogsite_a');
        const story = await publishStory(world, prepared, { scheduled_at: formatTimeIn(3) });
        await waitForOutbox(world);
        await signalWhileLocked('deliveries', await story.findArticleRun(), 'articleChanged');
        await story.waitForState('delivered');
        return story.waitForArticleEnd();
      },
    },
  ];
}
