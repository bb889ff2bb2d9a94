/**
 * Articles of an account share one rate budget: many of them stay within the destination's limits,
 * and no workflow polls.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findDestination } from '../../../destinations/clients.ts';
import type { Destination, Platform } from '../../../destinations/types.ts';
import { buildDeliveryWorkflowId } from '../../../temporal/names.ts';
import { markdown } from '../../support/api/api.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import { eventually } from '../../support/eventually.ts';

/**
 * The clock of the sandbox and the rate slots run this much faster: 30 s of its rules take 3 s.
 * With a higher speed, a short delay on a busy machine would break the rules.
 */
const SPEED = 10;
const ARTICLES = 50;

let world: DeliveryWorld;
before(async () => {
  const start = Date.now();
  world = await startDeliveryWorld({
    pacing: true,
    sandbox: { rateLimits: true, now: () => new Date(start + (Date.now() - start) * SPEED) },
    deps: { findDestination: speedUpPacing },
  });
});
after(() => world.close());

function speedUpPacing(platform: Platform): Destination | null {
  const destination = findDestination(platform);
  if (!destination) return null;
  const { intervalMs, burst } = destination.limits.pacing;
  return { ...destination, limits: { ...destination.limits, pacing: { intervalMs: intervalMs / SPEED, burst } } };
}

test('fifty simultaneous articles to an account that accepts ten in 30 seconds are all delivered in their rate slots (F33)', async () => {
  const author = await world.api.createAuthor('fifty');
  const connection = await world.connect(author, 'blogsite_a');
  const titles = Array.from({ length: ARTICLES }, (_, index) => `One of fifty ${index}`);
  const answers = await Promise.all(
    titles.map((title) => world.api.publish({ content: markdown({ title }) }, { token: author.token })),
  );
  assert.ok(answers.every(({ status }) => status === 201));
  await eventually(
    'all to be delivered',
    async () => {
      const rows = await world.api.db
        .selectFrom('deliveryStates')
        .select('state')
        .where('connectionId', '=', connection.id)
        .where('deliveryId', 'is not', null)
        .execute();
      return rows.length === ARTICLES && rows.every(({ state }) => state === 'delivered');
    },
    { withinMs: 300_000 },
  );
  const log = (await Promise.all(titles.map((title) => world.log(title)))).flat();
  assert.equal(log.length, ARTICLES, 'one create each, and nothing else');
  assert.equal((await world.notifications(author)).length, ARTICLES);
  const last = Math.max(...log.map(({ at }) => Date.parse(at)));
  const first = Math.min(...log.map(({ at }) => Date.parse(at)));
  assert.ok(
    last - first > 30_000 * (ARTICLES / 10 - 1) * 0.9,
    'the platform’s own clock saw ten in thirty seconds at most',
  );

  // A workflow that polls would have many timers.
  const articleIds = answers.map(({ body }) => body.data?.id ?? '');
  for (const id of articleIds.slice(-5)) {
    const { events } = await world.client.workflow.getHandle(buildDeliveryWorkflowId(id, 'blogsite_a')).fetchHistory();
    const timers = (events ?? []).filter((event) => event.timerStartedEventAttributes);
    assert.ok(timers.length <= 3, `${timers.length} timers`);
  }
});
