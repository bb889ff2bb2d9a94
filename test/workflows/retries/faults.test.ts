/** Tests the fault matrix at Forem. The oracle 1/1 is exactly one remote post and one event. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { DestinationKey } from '../../../article/types.ts';
import { TIMEOUTS } from '../../../delivery/timeouts.ts';
import { disconnectDestination } from '../../../store/connections/disconnect.ts';
import { buildDeliveryWorkflowId } from '../../../temporal/names.ts';
import { type DeliveryWorld, type Fault, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import { listWaits } from '../../support/delivery/list-waits.ts';
import {
  assertOnePostOneEvent,
  buildFault,
  createConnectedAuthor,
  listEvents,
  publishArticle,
} from '../../support/delivery/publishing.ts';

let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld();
});
after(() => world.close());

/** Sets the faults, then publishes as a new author. */
async function publishWith(title: string, faults: Fault[], destinations: DestinationKey[] = ['blogsite_a']) {
  const author = await createConnectedAuthor(world, ...destinations);
  await world.faults(faults);
  const { id } = await publishArticle(world, author, { title });
  return { author, id };
}

test('a create with a lost connection after the post was made is looked up and adopted (F9)', async () => {
  const { author, id } = await publishWith('Cut after', [buildFault('create', { drop: 'after' })]);
  await world.reaches(id, 'blogsite_a', 'delivered');
  await assertOnePostOneEvent(world, { author, title: 'Cut after' });
});

test('a create with a lost connection before the post was made creates it once (F1)', async () => {
  const { author, id } = await publishWith('Cut before', [buildFault('create', { drop: 'before' })]);
  await world.reaches(id, 'blogsite_a', 'delivered');
  await assertOnePostOneEvent(world, { author, title: 'Cut before' });
});

test('a create that times out after the post was made is adopted (F9)', async () => {
  const { author, id } = await publishWith('Slow answer', [buildFault('create', { delayMs: 6_000 })]);
  await world.reaches(id, 'blogsite_a', 'delivered');
  await assertOnePostOneEvent(world, { author, title: 'Slow answer' });
});

test('a create that gets a 422 but saved the post is a success (F10)', async () => {
  const { author, id } = await publishWith('Refused and saved', [buildFault('create', { status: 422, saved: true })]);
  await world.reaches(id, 'blogsite_a', 'delivered');
  await assertOnePostOneEvent(world, { author, title: 'Refused and saved' });
});

test('a 429 delays the delivery by its Retry-After, in seconds or as a date, and it is delivered once (F11)', async () => {
  const started = Date.now();
  const seconds = await publishWith('Limited by seconds', [
    buildFault('create', { status: 429, headers: { 'retry-after': '2' } }),
  ]);
  await world.reaches(seconds.id, 'blogsite_a', 'delivered');
  const [create] = await world.log('Limited by seconds');
  assert.ok(Date.parse(create?.at ?? '') >= started + 2_000, `created at ${create?.at}`);
  await assertOnePostOneEvent(world, { author: seconds.author, title: 'Limited by seconds' });

  const date = new Date(Date.now() + 3_000).toUTCString();
  const dated = await publishWith('Limited by date', [
    buildFault('create', { status: 429, headers: { 'retry-after': date } }),
  ]);
  await world.reaches(dated.id, 'blogsite_a', 'delivered');
  await assertOnePostOneEvent(world, { author: dated.author, title: 'Limited by date' });
});

test('5xx for a while ends in one post and one event, and does not delay the other destination (F12)', async () => {
  const faults = [buildFault('create', { status: 503, times: 2 })];
  const { author, id } = await publishWith('Unavailable for a while', faults, ['blogsite_a', 'blogsite_b']);
  await world.reaches(id, 'blogsite_b', 'delivered');
  await world.reaches(id, 'blogsite_a', 'delivered');
  await assertOnePostOneEvent(world, { author, title: 'Unavailable for a while' }, ['blogsite_a', 'blogsite_b']);
});

test('HTML from a proxy is a foreign response with any status, and the create is repeated', async () => {
  const page = { body: '<html><body>Gateway</body></html>', headers: { 'content-type': 'text/html' } };
  const { author, id } = await publishWith('A proxy’s page', [buildFault('create', { status: 403, ...page })]);
  await world.reaches(id, 'blogsite_a', 'delivered');
  await assertOnePostOneEvent(world, { author, title: 'A proxy’s page' });
});

test('a permanent refusal fails with one CROSS_POST_FAILED and a reason', async () => {
  const refusal = { status: 422, body: { error: 'Validation failed: Body is too rude', status: 422 } };
  const { author, id } = await publishWith('Refused', [buildFault('create', refusal)]);
  const row = await world.reaches(id, 'blogsite_a', 'failed');
  assert.match(row.error ?? '', /too rude/);
  const events = await world.notifications(author);
  assert.deepEqual(await listEvents(world, author), ['CROSS_POST_FAILED']);
  assert.equal(events[0]?.payload.platform, 'BLOGSITE_A');
  assert.match(String(events[0]?.payload.reason), /too rude/);
  assert.deepEqual(await world.log('Refused'), []);

  // Another publish sends it again.
  await publishArticle(world, author, { title: 'Refused' });
  await world.reaches(id, 'blogsite_a', 'delivered');
});

test('an expired key is probed again, then holds its deliveries with one CROSS_POST_FAILED until a reconnection (F13)', async () => {
  const author = await world.api.createAuthor('expired-key');
  await world.connect(author, 'blogsite_a', { apiKey: 'no such key' });
  await world.faults([]);
  const titles = ['Held one', 'Held two', 'Held three'];
  const ids: string[] = [];
  for (const title of titles) ids.push((await publishArticle(world, author, { title })).id);
  for (const id of ids) await world.reaches(id, 'blogsite_a', 'held');
  const waits = await Promise.all(ids.map((id) => listWaits(world.client, buildDeliveryWorkflowId(id, 'blogsite_a'))));
  assert.ok(waits.flat().includes(TIMEOUTS.probeAfterMs), JSON.stringify(waits));
  assert.deepEqual(await listEvents(world, author), ['CROSS_POST_FAILED']);
  const connection = await world.api.db
    .selectFrom('connections')
    .select('status')
    .where('userId', '=', author.id)
    .executeTakeFirstOrThrow();
  assert.equal(connection.status, 'unauthorised');

  await world.connect(author, 'blogsite_a');
  for (const id of ids) await world.reaches(id, 'blogsite_a', 'delivered');
  for (const title of titles) assert.equal((await world.log(title)).length, 1);
});

test('a waiting delivery sends nothing after a disconnection (F26)', async () => {
  const { author, id } = await publishWith('Disconnected', [buildFault('create', { status: 503, times: 1 })]);
  await world.reaches(id, 'blogsite_a', 'delivering');
  await disconnectDestination(world.api.db, author.id, 'blogsite_a');
  await world.reaches(id, 'blogsite_a', 'held');
  assert.deepEqual(await world.log('Disconnected'), []);
});
