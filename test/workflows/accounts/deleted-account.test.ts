/** Tests that the deletion of an account ends its workflows without a post or a withdrawal. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildArticleWorkflowId, buildDeliveryWorkflowId } from '../../../temporal/names.ts';
import { deleteAccountOf } from '../../support/database/delete-account.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import {
  buildFault,
  createConnectedAuthor,
  listActions,
  publishArticle,
  waitForArticleEnd,
  waitForDeliveryEnd,
  waitForOutbox,
  waitForPause,
} from '../../support/delivery/publishing.ts';
import { eventually } from '../../support/eventually.ts';

let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld({
    api: { env: { ALLOW_PRIVATE_DESTINATIONS: 'true', PUBLISH_RATE_PER_MINUTE: '1000' } },
  });
});
after(() => world.close());

const DUE_IN_MS = 4_000;

test('schedules and deliveries of a deleted account end, and its delivered copies remain', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a', 'blogsite_b');
  const delivered = await publishArticle(world, author, { title: 'Delivered and left' });
  const { remoteUrl } = await world.reaches(delivered.id, 'blogsite_a', 'delivered');
  await waitForDeliveryEnd(world, delivered.id, 'blogsite_a');
  await world.reaches(delivered.id, 'blogsite_b', 'delivered');

  await world.faults([
    buildFault('create', { status: 429, headers: { 'retry-after': '3600' } }),
    buildFault('create', { platform: 'blogsite_b', delayMs: 800 }),
  ]);
  const waiting = await publishArticle(world, author, { title: 'Waits for its turn' });
  await waitForPause(world, waiting.id, 'blogsite_a');
  const dueAt = Date.now() + DUE_IN_MS;
  const scheduled = await publishArticle(world, author, {
    title: 'Never to appear',
    scheduled_at: new Date(dueAt).toISOString(),
  });
  const far = await publishArticle(world, author, { title: 'In a distant year', scheduled_at: '2099-01-01' });
  await waitForOutbox(world);
  const posted = (await world.log('Delivered and left')).length;

  await deleteAccountOf(world.api.db, author.id, new Date());
  // They start the workflows of their deliveries, which had ended before.
  for (const { id } of [delivered, waiting, scheduled, far]) await waitForArticleEnd(world, id);

  const ids = [
    ...[scheduled, far].map(({ id }) => buildArticleWorkflowId(id)),
    ...(['blogsite_a', 'blogsite_b'] as const).flatMap((destination) =>
      [delivered, waiting].map(({ id }) => buildDeliveryWorkflowId(id, destination)),
    ),
  ];
  await eventually('every workflow to have ended', async () => (await listRunning(ids)).length === 0, {
    withinMs: 60_000,
  });
  await sleep(Math.max(0, dueAt + 1_500 - Date.now()));

  assert.deepEqual(await listRunning(ids), []);
  for (const id of ids) {
    const { status } = await world.client.workflow.getHandle(id).describe();
    assert.equal(status.name, 'COMPLETED', id);
  }
  assert.deepEqual(await listActions(world, 'Never to appear'), []);
  assert.ok(!(await listActions(world, 'Waits for its turn')).includes('withdraw'));
  assert.equal((await fetch(`${world.api.url}/${scheduled.slug}`)).status, 404, 'it never was public');
  assert.equal((await fetch(`${world.api.url}/${delivered.slug}`)).status, 410);
  assert.equal((await world.log('Delivered and left')).length, posted, 'what was named stays at its destinations');
  assert.equal((await fetch(remoteUrl ?? '')).status, 200);
  assert.deepEqual(await world.notifications(author), [], 'nobody is there to be told');
  const rows = await world.api.db.selectFrom('articles').select('status').where('authorId', '=', author.id).execute();
  assert.deepEqual([...new Set(rows.map(({ status }) => status))], ['DRAFT']);
});

async function listRunning(ids: readonly string[]): Promise<string[]> {
  const running = await Promise.all(
    ids.map(async (id) =>
      (await world.client.workflow.getHandle(id).describe()).status.name === 'RUNNING' ? [id] : [],
    ),
  );
  return running.flat();
}
