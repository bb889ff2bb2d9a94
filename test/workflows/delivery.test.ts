import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { markdown, type TestAuthor } from '../support/api.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../support/delivery.ts';
import { eventually } from '../support/eventually.ts';
import { assertHistoriesReplay } from '../support/replay.ts';

let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld();
});
after(() => world.close());

let authors = 0;
async function connectedAuthor(...destinations: ('blogsite_a' | 'blogsite_b')[]): Promise<TestAuthor> {
  const author = await world.api.createAuthor(`deliverer-${++authors}`);
  for (const destination of destinations) await world.connect(author, destination);
  return author;
}

async function publish(author: TestAuthor, frontmatter: Record<string, unknown>, body?: string, more: object = {}) {
  const answer = await world.api.publish({ content: markdown(frontmatter, body), ...more }, { token: author.token });
  assert.ok(answer.body.data, JSON.stringify(answer.body));
  return answer.body.data;
}

const types = (notifications: { type: string }[]) => notifications.map(({ type }) => type);

test('a published article is delivered to both connected destinations, and each outcome is one event', async () => {
  const author = await connectedAuthor('blogsite_a', 'blogsite_b');
  const { id, url } = await publish(author, { title: 'To both', tags: ['one'] });
  const a = await world.reaches(id, 'blogsite_a', 'delivered');
  const b = await world.reaches(id, 'blogsite_b', 'delivered');
  const log = await world.log('To both');
  assert.deepEqual(log.map(({ platform, action }) => `${platform} ${action}`).sort(), [
    'blogsite_a create',
    'blogsite_b create',
  ]);
  assert.ok(log.every((entry) => entry.canonicalUrl === url));
  const notifications = await world.notifications(author);
  assert.deepEqual(types(notifications), ['CROSS_POST_SUCCESS', 'CROSS_POST_SUCCESS']);
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

test('published again with new content, the same remote posts are changed in place', async () => {
  const author = await connectedAuthor('blogsite_a', 'blogsite_b');
  const first = await publish(author, { title: 'Changed in place' }, 'First.\n');
  const [a, b] = [
    await world.reaches(first.id, 'blogsite_a', 'delivered'),
    await world.reaches(first.id, 'blogsite_b', 'delivered'),
  ];
  await publish(author, { title: 'Changed in place' }, 'Second.\n');
  await eventually(
    'both updates',
    async () => (await world.log('Changed in place')).filter((e) => e.action === 'update').length === 2,
  );
  const log = await world.log('Changed in place');
  assert.equal(log.filter((entry) => entry.action === 'create').length, 2);
  for (const row of [a, b]) {
    assert.deepEqual(
      log.filter((entry) => entry.platform === row.destination).map((entry) => entry.remoteId),
      [row.remoteId, row.remoteId],
    );
  }
});

test('the same content again sends nothing to destinations that carry it', async () => {
  const author = await connectedAuthor('blogsite_a');
  const { id } = await publish(author, { title: 'Carried already' });
  await world.reaches(id, 'blogsite_a', 'delivered');
  await publish(author, { title: 'Carried already' });
  await workflowEnds(id, 'blogsite_a');
  assert.equal((await world.log('Carried already')).length, 1);
  assert.equal((await world.notifications(author)).length, 1);
});

test('with syndicationMode "local" nothing is delivered; published again without it, it is', async () => {
  const author = await connectedAuthor('blogsite_a');
  const { id } = await publish(author, { title: 'Local first' }, undefined, { syndicationMode: 'local' });
  await articleEnds(id);
  assert.deepEqual(await world.log('Local first'), []);
  await publish(author, { title: 'Local first' });
  await world.reaches(id, 'blogsite_a', 'delivered');
});

test('a destination connected later gets the article at the next publish of the same content', async () => {
  const author = await connectedAuthor('blogsite_a');
  const { id } = await publish(author, { title: 'Connected later' });
  await world.reaches(id, 'blogsite_a', 'delivered');
  await world.connect(author, 'blogsite_b');
  await publish(author, { title: 'Connected later' });
  await world.reaches(id, 'blogsite_b', 'delivered');
  assert.equal((await world.log('Connected later')).length, 2);
});

test('a draft, and a destination switched off, get nothing', async () => {
  const author = await connectedAuthor('blogsite_a', 'blogsite_b');
  await publish(author, { title: 'Only a draft', draft: true });
  const { id } = await publish(author, { title: 'Only one', cross_post: { blogsite_b: false } });
  await world.reaches(id, 'blogsite_a', 'delivered');
  await articleEnds(id);
  assert.deepEqual(
    (await world.log('Only one')).map((entry) => entry.platform),
    ['blogsite_a'],
  );
  assert.deepEqual(await world.log('Only a draft'), []);
});

test('fifty identical publishes at once end in one remote post a destination (F16)', async () => {
  const author = await connectedAuthor('blogsite_a', 'blogsite_b');
  const content = markdown({ title: 'Fifty deliveries' });
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => world.api.publish({ content }, { token: author.token })),
  );
  const id = answers[0]?.body.data?.id ?? '';
  await world.reaches(id, 'blogsite_a', 'delivered');
  await world.reaches(id, 'blogsite_b', 'delivered');
  await articleEnds(id);
  await workflowEnds(id, 'blogsite_a');
  await workflowEnds(id, 'blogsite_b');
  assert.equal((await world.log('Fifty deliveries')).length, 2);
  assert.equal((await world.notifications(author)).length, 2);
});

test('back to a draft, the copy is withdrawn; published again, the same remote post returns', async () => {
  const author = await connectedAuthor('blogsite_a');
  const { id } = await publish(author, { title: 'There and back' });
  const first = await world.reaches(id, 'blogsite_a', 'delivered');
  await publish(author, { title: 'There and back', draft: true });
  await eventually('the withdrawal', async () =>
    (await world.log('There and back')).some((e) => e.action === 'withdraw'),
  );
  assert.equal((await fetch(first.remoteUrl ?? '')).status, 404);
  await publish(author, { title: 'There and back' });
  await eventually('the return', async () => (await world.log('There and back')).length === 3);
  const again = await world.reaches(id, 'blogsite_a', 'delivered');
  assert.equal(again.remoteId, first.remoteId);
  assert.equal((await fetch(again.remoteUrl ?? '')).status, 200);
});

test('a scheduled article waits, becomes public at its time, and then is delivered once', async () => {
  const author = await connectedAuthor('blogsite_a');
  const at = new Date(Date.now() + 3_000).toISOString();
  const { id, url, status } = await publish(author, { title: 'On time', scheduled_at: at });
  assert.equal(status, 'SCHEDULED');
  assert.equal((await fetch(url)).status, 404);
  await world.reaches(id, 'blogsite_a', 'delivered');
  assert.equal((await fetch(url)).status, 200);
  const [entry, ...more] = await world.log('On time');
  assert.equal(more.length, 0);
  assert.ok(Date.parse(entry?.at ?? '') >= Date.parse(at));
});

test('a schedule that is cancelled before its time never fires', async () => {
  const author = await connectedAuthor('blogsite_a');
  const at = new Date(Date.now() + 2_000).toISOString();
  const { id, url } = await publish(author, { title: 'Called off', scheduled_at: at });
  await publish(author, { title: 'Called off', draft: true });
  await articleEnds(id);
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  assert.equal((await fetch(url)).status, 404);
  assert.deepEqual(await world.log('Called off'), []);
});

test('an operator finds a delivery by author, slug, destination and outcome', async () => {
  const author = await connectedAuthor('blogsite_a');
  const { id, slug } = await publish(author, { title: 'To be found' });
  await world.reaches(id, 'blogsite_a', 'delivered');
  const query = `CourantAuthor = '${author.username}' and CourantSlug = '${slug}' and CourantDestination = 'blogsite_a' and CourantOutcome = 'delivered'`;
  await eventually('the workflow to be listed', async () => {
    for await (const execution of world.client.workflow.list({ query })) return execution.workflowId;
    return null;
  });
});

test('histories hold ids and revisions: no body, no credential', async () => {
  const author = await connectedAuthor('blogsite_a');
  const { id } = await publish(author, { title: 'Kept out' }, 'A sentence nobody else writes.\n');
  await world.reaches(id, 'blogsite_a', 'delivered');
  for (const workflowId of [`article/${id}`, `delivery/${id}/blogsite_a`]) {
    const history = JSON.stringify(await world.client.workflow.getHandle(workflowId).fetchHistory(), (_key, value) =>
      value instanceof Uint8Array || value?.type === 'Buffer' ? Buffer.from(value.data ?? value).toString() : value,
    );
    assert.match(history, /deliver|articleChanged/);
    assert.doesNotMatch(history, /nobody else writes|sandbox-forem-key/);
  }
});

test('every history replays: the actors are deterministic', () =>
  assertHistoriesReplay(world.client, world.api.taskQueue, 21));

async function workflowEnds(articleId: string, destination: string): Promise<void> {
  await world.client.workflow.getHandle(`delivery/${articleId}/${destination}`).result();
}

/** The outbox is empty of it and its actor has ended. */
async function articleEnds(articleId: string): Promise<void> {
  await eventually('the outbox to be empty', async () => {
    const left = await world.api.db.selectFrom('outbox').select('id').where('articleId', '=', articleId).execute();
    return left.length === 0;
  });
  await world.client.workflow.getHandle(`article/${articleId}`).result();
}
