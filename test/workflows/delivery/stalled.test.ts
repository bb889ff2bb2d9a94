/** Tests the search for stalled deliveries with terminated workflows. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connectDestination } from '../../../store/connections/connect.ts';
import { wakeStalled } from '../../../store/deliveries/stalled.ts';
import { loadSealer } from '../../../store/secrets/sealing.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import { createHeldAnswers } from '../../support/delivery/held-answers.ts';
import {
  buildFault,
  countCreates,
  createConnectedAuthor,
  listActions,
  publishArticle,
  waitForArticleEnd,
  waitForDeliveryEnd,
  waitForOutbox,
  waitForPause,
  waitForWithdrawal,
} from '../../support/delivery/publishing.ts';
import { eventually } from '../../support/eventually.ts';

const answers = createHeldAnswers();
let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld({ deps: { findDestination: answers.findDestination } });
});
after(() => world.close());

const actor = (workflowId: string) => world.client.workflow.getHandle(workflowId);
const waitForStart = (workflowId: string) =>
  eventually(`${workflowId} to run`, async () => {
    const description = await actor(workflowId)
      .describe()
      .catch(() => null);
    return description?.status.name === 'RUNNING';
  });
/** Terminates a workflow as if Temporal had lost it. */
async function loseWorkflow(workflowId: string): Promise<void> {
  await waitForStart(workflowId);
  await actor(workflowId).terminate('its state was lost');
}
const MINUTE = 60_000;
const findStalled = (inMs: number) => wakeStalled(world.api.db, { now: new Date(Date.now() + inMs), limit: 100 });
let nudges = 0;
/**
 * Fills the outbox as the scheduled search does. The publish wakes the dispatcher before its next
 * sweep.
 */
async function wake(inMs: number): Promise<number> {
  const woken = await findStalled(inMs);
  const other = await createConnectedAuthor(world, 'blogsite_a');
  await publishArticle(world, other, { title: `Nudge ${++nudges}`, cross_post: { blogsite_a: false } });
  return woken;
}

test('a scheduled article without its workflow is published and delivered once', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const { id } = await publishArticle(world, author, {
    title: 'Lost schedule',
    scheduled_at: new Date(Date.now() + 120 * MINUTE).toISOString(),
  });
  await loseWorkflow(`article/${id}`);
  // Only now is its time near, so that the workflow does not publish it before it is lost.
  const scheduledAt = new Date(Date.now() + 1_000);
  await world.api.db.updateTable('articles').set({ scheduledAt }).where('id', '=', id).execute();
  assert.equal(await wake(0), 1);
  await waitForOutbox(world, id);
  await world.reaches(id, 'blogsite_a', 'delivered');
  assert.equal(await countCreates(world, 'Lost schedule'), 1);
  assert.equal((await world.notifications(author)).length, 1);
  await waitForDeliveryEnd(world, id, 'blogsite_a');
  assert.equal(await findStalled(10 * MINUTE), 0);
});

test('a delivery that lost its workflow in a pause is delivered once', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  await world.faults([buildFault('create', { status: 429, headers: { 'retry-after': '6' } })]);
  const { id } = await publishArticle(world, author, { title: 'Lost in its pause' });
  await waitForPause(world, id, 'blogsite_a');
  await loseWorkflow(`delivery/${id}/blogsite_a`);
  assert.equal(await findStalled(MINUTE), 0);
  assert.equal(await wake(10 * MINUTE), 1);
  await world.reaches(id, 'blogsite_a', 'delivered');
  assert.equal(await countCreates(world, 'Lost in its pause'), 1);
  assert.equal((await world.notifications(author)).length, 1);
});

test('a delivery that lost its workflow during a send is looked up, not sent again', async (context) => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  await world.faults([]);
  const answer = answers.holdNext(context);
  const { id } = await publishArticle(world, author, { title: 'Lost during a send' });
  await answer.isHeld();
  await loseWorkflow(`delivery/${id}/blogsite_a`);
  assert.equal(await countCreates(world, 'Lost during a send'), 1);
  assert.equal(await wake(10 * MINUTE), 1);
  await waitForOutbox(world, id);
  answer.release();
  await world.reaches(id, 'blogsite_a', 'delivered');
  assert.equal(await countCreates(world, 'Lost during a send'), 1);
  assert.equal((await world.notifications(author)).length, 1);
});

test('a published article without a started workflow is delivered', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const { id } = await publishArticle(world, author, { title: 'Never started', draft: true });
  const at = new Date();
  await world.api.db
    .updateTable('articles')
    .set({ status: 'PUBLISHED', publishedAt: at, dispatchedAt: at, dispatch: 2 })
    .where('id', '=', id)
    .execute();
  assert.equal(await wake(10 * MINUTE), 1);
  await world.reaches(id, 'blogsite_a', 'delivered');
  assert.equal(await countCreates(world, 'Never started'), 1);
});

test('the search runs as a workflow, and waking a running workflow twice changes nothing', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const { id } = await publishArticle(world, author, { title: 'Woken twice' });
  await world.reaches(id, 'blogsite_a', 'delivered');
  const { db } = world.api;
  await db
    .updateTable('deliveries')
    .set({ handledDispatch: 0, dueAt: new Date(Date.now() - 10 * MINUTE) })
    .where('articleId', '=', id)
    .execute();
  const search = { taskQueue: world.api.taskQueue, workflowId: `stalled-search-${id}`, args: [] };
  assert.equal(await world.client.workflow.execute('stalledSweepWorkflow', search), '1 articles were woken');
  await wake(0);
  await waitForArticleEnd(world, id);
  await waitForDeliveryEnd(world, id, 'blogsite_a');
  assert.equal(await countCreates(world, 'Woken twice'), 1);
  assert.equal((await world.log('Woken twice')).length, 1);
  assert.equal((await world.notifications(author)).length, 1);
});

test('a held delivery is not stalled, and is sent when its destination is reconnected', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const sealer = await loadSealer({ home: world.api.home, key: undefined });
  const { db } = world.api;
  await db.updateTable('connections').set({ status: 'unauthorised' }).where('userId', '=', author.id).execute();
  const { id } = await publishArticle(world, author, { title: 'Held, then lost' });
  await world.reaches(id, 'blogsite_a', 'held');
  await waitForDeliveryEnd(world, id, 'blogsite_a');
  assert.equal(await findStalled(10 * MINUTE), 0);
  const present = await db
    .selectFrom('connections')
    .select(['platform', 'baseUrl'])
    .where('userId', '=', author.id)
    .executeTakeFirstOrThrow();
  const credentials = { apiKey: 'sandbox-forem-key' };
  await connectDestination(db, sealer, {
    userId: author.id,
    destination: 'blogsite_a',
    ...present,
    credentials,
    account: { identity: author.id, name: null },
  });
  await db.deleteFrom('outbox').where('articleId', '=', id).execute();
  assert.equal(await wake(10 * MINUTE), 1);
  await world.reaches(id, 'blogsite_a', 'delivered');
  assert.equal(await countCreates(world, 'Held, then lost'), 1);
});

test('a withdrawal that lost its workflow is finished before the scheduled time of its article', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const { id } = await publishArticle(world, author, { title: 'Lost before its hour' });
  await world.reaches(id, 'blogsite_a', 'delivered');
  await waitForDeliveryEnd(world, id, 'blogsite_a');
  const state = {
    status: 'SCHEDULED',
    scheduledAt: new Date('2050-01-01'),
    dispatch: 2,
    dispatchedAt: new Date(),
  } as const;
  await world.api.db.updateTable('articles').set(state).where('id', '=', id).execute();
  assert.equal(await wake(10 * MINUTE), 1);
  await waitForWithdrawal(world, id, 'blogsite_a');
  await waitForDeliveryEnd(world, id, 'blogsite_a');
  assert.equal(await findStalled(20 * MINUTE), 0);
  assert.deepEqual(await listActions(world, 'Lost before its hour'), ['create', 'withdraw']);
});

test('a withdrawal answered after its worker was lost is followed by the update of a new publish', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const { db } = world.api;
  const title = 'Withdrawn, then published';
  const { id } = await publishArticle(world, author, { title });
  await world.reaches(id, 'blogsite_a', 'delivered');
  await waitForDeliveryEnd(world, id, 'blogsite_a');
  const {
    id: _,
    outcome: __,
    endedAt: ___,
    ...sent
  } = await db
    .selectFrom('deliveryAttempts as t')
    .innerJoin('deliveries as d', 'd.id', 't.deliveryId')
    .selectAll('t')
    .where('d.articleId', '=', id)
    .executeTakeFirstOrThrow();
  const answer = JSON.stringify({ kind: 'done', remote: null });
  const withdrawal = {
    ...sent,
    action: 'withdraw',
    answer,
    startedAt: new Date(),
    lookUp: '{}',
    payload: null,
  } as const;
  await db.insertInto('deliveryAttempts').values(withdrawal).execute();
  await db.updateTable('copies').set({ presence: 'hidden' }).where('articleId', '=', id).execute();
  await publishArticle(world, author, { title }, 'Other words.\n');
  await eventually('the update', async () => (await listActions(world, title)).at(-1) === 'update');
  await world.reaches(id, 'blogsite_a', 'delivered');
});
