/** Tests running workflows after a restore of the database. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { beginRestore, finishRestore } from '../../../store/restores/restore.ts';
import { wakeRestored } from '../../../worker/wake-restored.ts';
import { createBackup } from '../../support/database/backup.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import { createConnectedAuthor, publishArticle, waitForPause } from '../../support/delivery/publishing.ts';

let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld({ pacing: true });
});
after(() => world.close());

test('a delivery that waits for a slot from before the restore reserves again (F31)', async () => {
  const { db, taskQueue } = world.api;
  const actors = { client: world.client, taskQueue };
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const setArrival = sql`update connections set arrival_at = clock_timestamp() + interval '1 day' where user_id = ${author.id}`;
  await setArrival.execute(db);
  const { id } = await publishArticle(world, author, { title: 'Before an old slot' });
  const slotAt = await waitForPause(world, id, 'blogsite_a');
  assert.ok(slotAt.getTime() > Date.now() + 60 * 60_000);

  const backup = await createBackup(db);
  await backup.restore();
  await sql`update connections set arrival_at = clock_timestamp() where user_id = ${author.id}`.execute(db);
  await beginRestore(db);
  assert.equal(await wakeRestored(db, actors, new Date()), 0, 'not before it has ended');
  await finishRestore(db, new Date());
  assert.equal(await wakeRestored(db, actors, new Date()), 1);
  await world.reaches(id, 'blogsite_a', 'delivered');
  assert.equal(
    await wakeRestored(db, actors, new Date(Date.now() + 2 * 60 * 60_000)),
    0,
    'an hour later all is as ever',
  );
});
