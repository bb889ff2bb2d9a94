/** Tests the combined plan and send activity, and the workflow's own plan if it cannot start. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { buildDeliveryWorkflowId } from '../../../temporal/names.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import {
  assertOnePostOneEvent,
  buildFault,
  createConnectedAuthor,
  publishArticle,
  waitForDeliveryEnd,
  waitForFaults,
} from '../../support/delivery/publishing.ts';
import { assertHistoriesReplay } from '../../support/delivery/replay.ts';
import { listDeliveries } from '../../support/list-deliveries.ts';

const HANGS_MS = 40_000;

let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld({ deliverySlots: 1, deps: { httpTimeoutMs: HANGS_MS + 10_000 } });
});
after(() => world.close());

test('a delivery without a wait needs two workflow tasks, one activity and one request', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const { id } = await publishArticle(world, author, { title: 'Not waiting' });
  await world.reaches(id, 'blogsite_a', 'delivered');
  await waitForDeliveryEnd(world, id, 'blogsite_a');
  await assertOnePostOneEvent(world, { author, title: 'Not waiting' });
  assert.deepEqual(await listSteps(id), [
    'workflowExecutionStarted',
    'workflowTaskScheduled',
    'workflowTaskStarted',
    'workflowTaskCompleted',
    'activityTaskScheduled',
    'activityTaskStarted',
    'activityTaskCompleted',
    'workflowTaskScheduled',
    'workflowTaskStarted',
    'workflowTaskCompleted',
    'upsertWorkflowSearchAttributes',
    'workflowExecutionCompleted',
  ]);
});

test('a held delivery is shown immediately while all calls hang', async () => {
  const hanging = await createConnectedAuthor(world, 'blogsite_a');
  await world.faults([buildFault('create', { platform: 'blogsite_a', delayMs: HANGS_MS })]);
  const first = await publishArticle(world, hanging, { title: 'Hanging' });
  await waitForFaults(world);
  const other = await createConnectedAuthor(world, 'blogsite_b');
  await world.api.db
    .updateTable('connections')
    .set({ status: 'unauthorised' })
    .where('userId', '=', other.id)
    .execute();
  const { id } = await publishArticle(world, other, { title: 'Without a key' });
  const held = await world.reaches(id, 'blogsite_b', 'held', HANGS_MS / 2);
  assert.equal(held.errorCode, 'unauthorised');
  const [row] = await listDeliveries(world.api.db, first.id);
  assert.equal(row?.state, 'delivering', 'the first call still hangs');
  await world.reaches(first.id, 'blogsite_a', 'delivered', HANGS_MS * 2);
  await assertOnePostOneEvent(world, { author: hanging, title: 'Hanging' });
});

test('histories of both paths replay', async () =>
  void (await assertHistoriesReplay(world.client, world.api.taskQueue, 3)));

async function listSteps(articleId: string): Promise<string[]> {
  const workflow = world.client.workflow.getHandle(buildDeliveryWorkflowId(articleId, 'blogsite_a'));
  const { events } = await workflow.fetchHistory();
  return (events ?? []).map(
    (event) =>
      Object.keys(event)
        .find((key) => key.endsWith('EventAttributes'))
        ?.replace('EventAttributes', '') ?? '',
  );
}
