import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { forem } from '../../destinations/forem/index.ts';
import { markdown } from '../support/api.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../support/delivery.ts';
import { eventually } from '../support/eventually.ts';
import { type Command, sendCommand } from '../support/graphql.ts';

let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld({ pacing: true });
});
after(() => world.close());

let authors = 0;
/** An article whose rate slot at its destination comes in so many seconds. */
async function waitingFor(title: string, seconds: number) {
  const author = await world.api.createAuthor(`in-line-${++authors}`);
  const { id: connectionId } = await world.connect(author, 'blogsite_a');
  await sql`update connections set arrival_at = clock_timestamp() + make_interval(secs => ${seconds}) +
    make_interval(secs => ${tolerance()}) where id = ${connectionId}`.execute(world.api.db);
  const answer = await world.api.publish({ content: markdown({ title }) }, { token: author.token });
  const id = answer.body.data?.id ?? '';
  const slotAt = await eventually(
    'the rate slot',
    async () => (await world.reaches(id, 'blogsite_a', 'pending')).nextAttemptAt,
  );
  const order = (command: Command) =>
    sendCommand(world.api, author.id, command, { articleId: id, destination: 'blogsite_a' });
  const ends = () => world.client.workflow.getHandle(`delivery/${id}/blogsite_a`).result();
  return { id, slotAt, order, ends };
}

function tolerance(): number {
  const { intervalMs, burst } = forem.limits.pacing;
  return (intervalMs * (burst - 1)) / 1000;
}

test('a rate slot is not brought nearer by retry', async () => {
  const { id, slotAt, order } = await waitingFor('In line', 3);
  for (let ordered = 0; ordered < 3; ordered++) assert.ok((await order('retry')).data?.retryDelivery);
  await world.reaches(id, 'blogsite_a', 'delivered');
  const [entry, ...more] = await world.log('In line');
  assert.equal(more.length, 0);
  assert.ok(Date.parse(entry?.at ?? '') >= slotAt.getTime() - 50);
});

test('skip and withdraw end the wait at once', async () => {
  for (const command of ['skip', 'withdraw'] as const) {
    const { order, ends } = await waitingFor(`Out of line by ${command}`, 600);
    await order(command);
    assert.match(await ends(), /author’s request/);
    assert.deepEqual(await world.log(`Out of line by ${command}`), []);
  }
});
