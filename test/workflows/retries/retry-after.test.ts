/** Tests that `Retry-After` of an unavailable destination is honoured. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { markdown } from '../../support/api/api.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import { eventually } from '../../support/eventually.ts';

const ASKED_MS = 7_000;

let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld();
});
after(() => world.close());

test('the attempt after a 503 waits for its Retry-After (F12)', async () => {
  const author = await world.api.createAuthor('patient');
  await world.connect(author, 'blogsite_a');
  const publish = (body: string) =>
    world.api.publish({ content: markdown({ title: 'Waits as asked' }, body) }, { token: author.token });
  const { body } = await publish('First.');
  const id = body.data?.id ?? '';
  await world.reaches(id, 'blogsite_a', 'delivered');
  const headers = { 'retry-after': String(ASKED_MS / 1_000) };
  await world.faults([{ platform: 'blogsite_a', action: 'update', times: 1, status: 503, headers }]);
  const published = Date.now();
  await publish('Second.');
  const findUpdate = async () => (await world.log('Waits as asked')).find(({ action }) => action === 'update');
  await eventually('the update to arrive', async () => (await findUpdate()) !== undefined, { withinMs: 60_000 });
  const update = await findUpdate();
  const waitedMs = Date.parse(update?.at ?? '') - published;
  assert.ok(waitedMs >= ASKED_MS, `${waitedMs} ms`);
});
