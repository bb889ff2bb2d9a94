import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connectDestination } from '../../store/connections/connect.ts';
import { wakeForgotten } from '../../store/deliveries/stalled.ts';
import { loadSealer } from '../../store/secrets/sealing.ts';
import { markdown, type TestAuthor } from '../support/api.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../support/delivery.ts';
import { eventually } from '../support/eventually.ts';

let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld();
});
after(() => world.close());

let authors = 0;
async function newAuthor(): Promise<TestAuthor> {
  const author = await world.api.createAuthor(`forgotten-${++authors}`);
  await world.connect(author, 'blogsite_a');
  return author;
}
async function publish(author: TestAuthor, frontmatter: Record<string, unknown>, body?: string) {
  const answer = await world.api.publish({ content: markdown(frontmatter, body) }, { token: author.token });
  return answer.body.data?.id ?? '';
}
const actor = (workflowId: string) => world.client.workflow.getHandle(workflowId);
const isRunning = (workflowId: string) =>
  eventually(`${workflowId} to run`, async () => {
    const description = await actor(workflowId)
      .describe()
      .catch(() => null);
    return description?.status.name === 'RUNNING';
  });
const isTold = (articleId: string) =>
  eventually('the outbox to be told', async () => {
    const rows = await world.api.db.selectFrom('outbox').select('id').where('articleId', '=', articleId).execute();
    return rows.length === 0;
  });
/** As if Temporal had lost it. */
async function lose(workflowId: string): Promise<void> {
  await isRunning(workflowId);
  await actor(workflowId).terminate('its state was lost');
}
const MINUTE = 60_000;
const look = (inMs: number) => wakeForgotten(world.api.db, { now: new Date(Date.now() + inMs), limit: 100 });
/** Wakes as the watch does; the dispatcher's next sweep, or this nudge, tells the actors. */
async function wake(inMs: number): Promise<number> {
  const woken = await look(inMs);
  const other = await newAuthor();
  await publish(other, { title: `Nudge ${authors}`, cross_post: { blogsite_a: false } });
  return woken;
}
const creates = async (title: string) => (await world.log(title)).filter(({ action }) => action === 'create').length;

test('a scheduled article whose actor is gone is made public and delivered once', async () => {
  const author = await newAuthor();
  const id = await publish(author, {
    title: 'Lost schedule',
    scheduled_at: new Date(Date.now() + 2_500).toISOString(),
  });
  await lose(`article/${id}`);
  assert.equal(await wake(0), 1);
  await isTold(id);
  await world.reaches(id, 'blogsite_a', 'delivered');
  assert.equal(await creates('Lost schedule'), 1);
  assert.equal((await world.notifications(author)).length, 1);
  await actor(`delivery/${id}/blogsite_a`).result();
  assert.equal(await look(10 * MINUTE), 0);
});

test('a delivery whose actor is gone in its pause is brought to its end, once', async () => {
  const author = await newAuthor();
  const limit = { status: 429, headers: { 'retry-after': '1' } };
  await world.faults([{ platform: 'blogsite_a', action: 'create', times: 1, ...limit }]);
  const id = await publish(author, { title: 'Lost in its pause' });
  await eventually('the pause', async () => (await world.reaches(id, 'blogsite_a', 'pending')).nextAttemptAt);
  await lose(`delivery/${id}/blogsite_a`);
  assert.equal(await look(MINUTE), 0);
  assert.equal(await wake(10 * MINUTE), 1);
  await world.reaches(id, 'blogsite_a', 'delivered');
  assert.equal(await creates('Lost in its pause'), 1);
  assert.equal((await world.notifications(author)).length, 1);
});

test('a delivery whose actor died on the wire is looked up, not sent again', async () => {
  const author = await newAuthor();
  await world.faults([{ platform: 'blogsite_a', action: 'create', times: 1, delayMs: 1_200 }]);
  const id = await publish(author, { title: 'Lost on the wire' });
  await world.reaches(id, 'blogsite_a', 'delivering');
  await lose(`delivery/${id}/blogsite_a`);
  await eventually('the post', async () => (await creates('Lost on the wire')) === 1);
  assert.equal(await wake(10 * MINUTE), 1);
  await world.reaches(id, 'blogsite_a', 'delivered');
  assert.equal(await creates('Lost on the wire'), 1);
  assert.equal((await world.notifications(author)).length, 1);
});

test('a published article that no actor was ever told of is delivered', async () => {
  const author = await newAuthor();
  const id = await publish(author, { title: 'Never told', draft: true });
  const at = new Date();
  await world.api.db
    .updateTable('articles')
    .set({ status: 'PUBLISHED', publishedAt: at, dispatchedAt: at, dispatch: 2 })
    .where('id', '=', id)
    .execute();
  assert.equal(await wake(10 * MINUTE), 1);
  await world.reaches(id, 'blogsite_a', 'delivered');
  assert.equal(await creates('Never told'), 1);
});

test('the watch itself runs as a workflow, and a living actor bears being told twice', async () => {
  const author = await newAuthor();
  const id = await publish(author, { title: 'Told twice' });
  await world.reaches(id, 'blogsite_a', 'delivered');
  const { db } = world.api;
  await db
    .updateTable('articles')
    .set({ dispatchedAt: new Date(Date.now() - 10 * MINUTE) })
    .where('id', '=', id)
    .execute();
  await db
    .updateTable('deliveries')
    .set({ handledDispatch: 0, updatedAt: new Date(Date.now() - 10 * MINUTE) })
    .where('articleId', '=', id)
    .execute();
  const watch = { taskQueue: world.api.taskQueue, workflowId: `watch-${id}`, args: [] };
  assert.equal(await world.client.workflow.execute('watchWorkflow', watch), '1 articles were woken');
  await wake(0);
  await isTold(id);
  await actor(`article/${id}`).result();
  await actor(`delivery/${id}/blogsite_a`).result();
  assert.equal(await creates('Told twice'), 1);
  assert.equal((await world.log('Told twice')).length, 1);
  assert.equal((await world.notifications(author)).length, 1);
});

test('what was held goes out by itself once its destination is connected anew, and is not forgotten then', async () => {
  const author = await newAuthor();
  const sealer = await loadSealer({ home: world.api.home, key: undefined });
  const { db } = world.api;
  await db.updateTable('connections').set({ status: 'unauthorised' }).where('userId', '=', author.id).execute();
  const id = await publish(author, { title: 'Held, then lost' });
  await world.reaches(id, 'blogsite_a', 'held');
  await actor(`delivery/${id}/blogsite_a`).result();
  assert.equal(await look(10 * MINUTE), 0);
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
    now: new Date(),
  });
  await db.deleteFrom('outbox').where('articleId', '=', id).execute();
  assert.equal(await wake(10 * MINUTE), 1);
  await world.reaches(id, 'blogsite_a', 'delivered');
  assert.equal(await creates('Held, then lost'), 1);
});
