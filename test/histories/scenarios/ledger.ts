/**
 * Scenarios of deliveries whose row is newer than their workflow, or older than the destination.
 */
import { sql } from 'kysely';
import type { DeliveryWorld } from '../../support/delivery/delivery.ts';
import { eventually } from '../../support/eventually.ts';
import { prepareStory, publishDelivered, publishStory, type Scenario, waitForPause, waitForRevision } from './story.ts';

export function createLedgerScenarios(world: DeliveryWorld): Scenario[] {
  const { db } = world.api;
  return [
    {
      // The database was restored from a backup without the copy.
      name: 'delivery-found-before-create',
      async play() {
        const story = await publishDelivered(world, 'blogsite_a');
        await sql`delete from delivery_attempts using deliveries d where delivery_id = d.id and d.article_id = ${story.id}`.execute(
          db,
        );
        await sql`delete from copies where article_id = ${story.id}`.execute(db);
        await sql`update deliveries set handled_dispatch = 0 where article_id = ${story.id}`.execute(db);
        await sql`update articles set created_at = now() - interval '1 hour' where id = ${story.id}`.execute(db);
        await story.publish({}, 'Newer words.\n');
        await waitForRevision(story, 2);
        return story.waitForDeliveryEnd();
      },
    },
    {
      // An update without a response settles before a newer one is sent.
      name: 'delivery-waited-for-late-update',
      async play() {
        const story = await publishDelivered(world, 'blogsite_a');
        await world.faults([{ platform: 'blogsite_a', action: 'update', times: 1, drop: 'before' }]);
        await story.publish({}, 'Newer words.\n');
        await waitForPause(world, story, 'outcome_unknown');
        await story.publish({}, 'Newest words.\n');
        await waitForRevision(story, 3);
        return story.waitForDeliveryEnd();
      },
    },
    {
      name: 'delivery-plan-broken',
      async play() {
        const limited = { status: 429, headers: { 'retry-after': '2' } };
        const story = await publishStory(world, await prepareStory(world, 'blogsite_a', limited));
        await waitForPause(world, story, 'rate_limited');
        await sql`alter table restores rename to restores_unavailable`.execute(db);
        await eventually('the broken plan', async () => {
          const rows = db.selectFrom('deliveryAttempts as t').innerJoin('deliveries as d', 'd.id', 't.deliveryId');
          const broken = rows.select('t.id').where('d.articleId', '=', story.id).where('t.code', '=', 'interrupted');
          return (await broken.executeTakeFirst()) !== undefined;
        });
        await sql`alter table restores_unavailable rename to restores`.execute(db);
        await story.waitForState('delivered');
        return story.waitForDeliveryEnd();
      },
    },
  ];
}
