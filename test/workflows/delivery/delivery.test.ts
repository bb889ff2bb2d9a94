/** Tests the delivery of articles from publish to remote post and event. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildArticleWorkflowId } from '../../../temporal/names.ts';
import { markdown } from '../../support/api/api.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import {
  countCreates,
  createConnectedAuthor,
  listActions,
  listEvents,
  publishArticle,
  waitForArticleEnd,
  waitForDeliveryEnd,
  waitForOutbox,
} from '../../support/delivery/publishing.ts';
import { assertHistoriesReplay } from '../../support/delivery/replay.ts';
import { eventually } from '../../support/eventually.ts';

let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld();
});
after(() => world.close());

test('a published article is delivered to both connected destinations, and each outcome is one event', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a', 'blogsite_b');
  const { id, url } = await publishArticle(world, author, { title: 'To both', tags: ['one'] });
  const a = await world.reaches(id, 'blogsite_a', 'delivered');
  const b = await world.reaches(id, 'blogsite_b', 'delivered');
  const log = await world.log('To both');
  assert.deepEqual(log.map(({ platform, action }) => `${platform} ${action}`).sort(), [
    'blogsite_a create',
    'blogsite_b create',
  ]);
  assert.ok(log.every((entry) => entry.canonicalUrl === url));
  const notifications = await world.notifications(author);
  assert.deepEqual(await listEvents(world, author), ['CROSS_POST_SUCCESS', 'CROSS_POST_SUCCESS']);
  assert.deepEqual(
    notifications.map(({ payload }) => [payload.platform, payload.postTitle, payload.sharedUrl]).sort(),
    [
      ['BLOGSITE_A', 'To both', a.remoteUrl],
      ['BLOGSITE_B', 'To both', b.remoteUrl],
    ],
  );
  assert.equal((await fetch(a.remoteUrl ?? '')).status, 200);
  assert.equal((await fetch(b.remoteUrl ?? '')).status, 200);
});

test('publishing new content updates the same remote posts', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a', 'blogsite_b');
  const first = await publishArticle(world, author, { title: 'Changed in place' }, 'First.\n');
  const [a, b] = [
    await world.reaches(first.id, 'blogsite_a', 'delivered'),
    await world.reaches(first.id, 'blogsite_b', 'delivered'),
  ];
  await publishArticle(world, author, { title: 'Changed in place' }, 'Second.\n');
  await eventually(
    'both updates',
    async () => (await listActions(world, 'Changed in place')).filter((action) => action === 'update').length === 2,
  );
  const log = await world.log('Changed in place');
  assert.equal(await countCreates(world, 'Changed in place'), 2);
  for (const row of [a, b]) {
    assert.deepEqual(
      log.filter((entry) => entry.platform === row.destination).map((entry) => entry.remoteId),
      [row.remoteId, row.remoteId],
    );
  }
});

test('publishing the same content again sends nothing to up-to-date destinations', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const { id } = await publishArticle(world, author, { title: 'There already' });
  await world.reaches(id, 'blogsite_a', 'delivered');
  await publishArticle(world, author, { title: 'There already' });
  await waitForDeliveryEnd(world, id, 'blogsite_a');
  assert.equal((await world.log('There already')).length, 1);
  assert.equal((await world.notifications(author)).length, 1);
});

test('an article with syndicationMode "local" starts no workflow until it is published without it', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const { id } = await publishArticle(world, author, { title: 'Local first' }, undefined, { syndicationMode: 'local' });
  await waitForOutbox(world);
  const workflow = world.client.workflow.getHandle(buildArticleWorkflowId(id));
  await assert.rejects(workflow.describe(), { name: 'WorkflowNotFoundError' });
  assert.deepEqual(await world.log('Local first'), []);
  await publishArticle(world, author, { title: 'Local first' });
  await world.reaches(id, 'blogsite_a', 'delivered');
});

test('an article without a schedule starts its deliveries without an article workflow', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a', 'blogsite_b');
  const { id } = await publishArticle(world, author, { title: 'At once' });
  await world.reaches(id, 'blogsite_a', 'delivered');
  await world.reaches(id, 'blogsite_b', 'delivered');
  const workflow = world.client.workflow.getHandle(buildArticleWorkflowId(id));
  await assert.rejects(workflow.describe(), { name: 'WorkflowNotFoundError' });
});

test('a schedule moved forward to now ends its workflow, and is delivered once', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const scheduled_at = new Date(Date.now() + 3_600_000).toISOString();
  const { id } = await publishArticle(world, author, { title: 'Brought forward', scheduled_at });
  await waitForOutbox(world, id);
  await publishArticle(world, author, { title: 'Brought forward' });
  assert.match(await waitForArticleEnd(world, id), /^woke blogsite_a/);
  await waitForDeliveryEnd(world, id, 'blogsite_a');
  assert.equal((await world.log('Brought forward')).length, 1);
});

test('a destination connected later gets the article at the next publish of the same content', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const { id } = await publishArticle(world, author, { title: 'Connected later' });
  await world.reaches(id, 'blogsite_a', 'delivered');
  await world.connect(author, 'blogsite_b');
  await publishArticle(world, author, { title: 'Connected later' });
  await world.reaches(id, 'blogsite_b', 'delivered');
  assert.equal((await world.log('Connected later')).length, 2);
});

test('a draft is not sent, and nothing is sent to a deselected destination', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a', 'blogsite_b');
  await publishArticle(world, author, { title: 'Only a draft', draft: true });
  const { id } = await publishArticle(world, author, { title: 'Only one', cross_post: { blogsite_b: false } });
  await world.reaches(id, 'blogsite_a', 'delivered');
  await waitForOutbox(world, id);
  assert.deepEqual(
    (await world.log('Only one')).map((entry) => entry.platform),
    ['blogsite_a'],
  );
  assert.deepEqual(await world.log('Only a draft'), []);
});

test('fifty identical publishes at once end in one remote post per destination (F16)', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a', 'blogsite_b');
  const content = markdown({ title: 'Fifty deliveries' });
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => world.api.publish({ content }, { token: author.token })),
  );
  const id = answers[0]?.body.data?.id ?? '';
  await world.reaches(id, 'blogsite_a', 'delivered');
  await world.reaches(id, 'blogsite_b', 'delivered');
  await waitForDeliveryEnd(world, id, 'blogsite_a');
  await waitForDeliveryEnd(world, id, 'blogsite_b');
  assert.equal((await world.log('Fifty deliveries')).length, 2);
  assert.equal((await world.notifications(author)).length, 2);
});

test('an article that becomes a draft is withdrawn, and a new publish restores the same remote post', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const { id } = await publishArticle(world, author, { title: 'There and back' });
  const first = await world.reaches(id, 'blogsite_a', 'delivered');
  await publishArticle(world, author, { title: 'There and back', draft: true });
  await eventually('the withdrawal', async () => (await listActions(world, 'There and back')).includes('withdraw'));
  assert.equal((await fetch(first.remoteUrl ?? '')).status, 404);
  await publishArticle(world, author, { title: 'There and back' });
  await eventually('the return', async () => (await world.log('There and back')).length === 3);
  const again = await world.reaches(id, 'blogsite_a', 'delivered');
  assert.equal(again.remoteId, first.remoteId);
  assert.equal((await fetch(again.remoteUrl ?? '')).status, 200);
});

test('a scheduled article becomes public at its time and is then delivered once', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const at = new Date(Date.now() + 3_000).toISOString();
  const { id, url, status } = await publishArticle(world, author, { title: 'On time', scheduled_at: at });
  assert.equal(status, 'SCHEDULED');
  assert.equal((await fetch(url)).status, 404);
  await world.reaches(id, 'blogsite_a', 'delivered');
  assert.equal((await fetch(url)).status, 200);
  const [entry, ...more] = await world.log('On time');
  assert.equal(more.length, 0);
  assert.ok(Date.parse(entry?.at ?? '') >= Date.parse(at));
});

test('a schedule cancelled before its time does not fire', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const at = Date.now() + 4_000;
  const scheduled_at = new Date(at).toISOString();
  const { id, url } = await publishArticle(world, author, { title: 'Called off', scheduled_at });
  await publishArticle(world, author, { title: 'Called off', draft: true });
  await waitForArticleEnd(world, id);
  await sleep(Math.max(0, at + 500 - Date.now()));
  assert.equal((await fetch(url)).status, 404);
  assert.deepEqual(await world.log('Called off'), []);
});

test('an operator finds a delivery by author, slug, destination and outcome', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const { id, slug } = await publishArticle(world, author, { title: 'To be found' });
  await world.reaches(id, 'blogsite_a', 'delivered');
  const query = `CourantAuthor = '${author.username}' and CourantSlug = '${slug}' and CourantDestination = 'blogsite_a' and CourantOutcome = 'delivered'`;
  await eventually('the workflow to be listed', async () => {
    for await (const execution of world.client.workflow.list({ query })) return execution.workflowId;
    return null;
  });
});

test('histories contain ids and revisions, but no body and no credential', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const scheduled_at = new Date(Date.now() + 1_500).toISOString();
  const frontmatter = { title: 'Kept out', scheduled_at };
  const { id } = await publishArticle(world, author, frontmatter, 'A sentence nobody else writes.\n');
  await world.reaches(id, 'blogsite_a', 'delivered');
  for (const workflowId of [`article/${id}`, `delivery/${id}/blogsite_a`]) {
    const history = JSON.stringify(await world.client.workflow.getHandle(workflowId).fetchHistory(), (_key, value) =>
      value instanceof Uint8Array || value?.type === 'Buffer' ? Buffer.from(value.data ?? value).toString() : value,
    );
    assert.match(history, /deliver|articleChanged/);
    assert.doesNotMatch(history, /nobody else writes|sandbox-forem-key/);
  }
});

test('every history replays', async () => {
  await assertHistoriesReplay(world.client, world.api.taskQueue, 21);
});
