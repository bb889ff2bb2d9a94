/**
 * Destinations that are unavailable for hours and days, with real activities, a real database and
 * real HTTP, on a server with a skipping clock.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import type { DestinationKey } from '../../../article/types.ts';
import { markdown, type TestAuthor } from '../../support/api/api.ts';
import type { Fault } from '../../support/delivery/delivery.ts';
import { skip } from '../../time/support/time-machine.ts';
import { startTimedWorld, type TimedWorld } from '../../time/support/world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const ALWAYS = 1_000_000;
/** One every 15 minutes, and ten during the shorter pauses at the start. */
const MAX_REQUESTS_PER_DAY = 24 * 4 + 10;

describe('over hours and days', { skip }, () => {
  let world: TimedWorld;
  before(async () => {
    world = await startTimedWorld();
  });
  after(() => world.close());
  beforeEach(() => world.faults([]));

  test('a destination that is unavailable for 23 hours gets the post once, after a bounded number of requests', async () => {
    const down: Fault = { platform: 'blogsite_a', action: 'any', times: ALWAYS, status: 503 };
    const { author, id, ends } = await publish('Down for 23 hours', 'blogsite_a', down);
    await world.pass(23 * HOUR_MS);
    const requests = ALWAYS - ((await listRemainingFaults())[0]?.times ?? 0);
    assert.ok(requests > 50 && requests < 2 * MAX_REQUESTS_PER_DAY, `${requests} requests`);
    assert.deepEqual(await world.notifications(author), [], 'no notification before it is given up');
    await world.faults([]);
    assert.match(await ends('1 hour'), /^delivered/);
    const log = await world.log('Down for 23 hours');
    assert.equal(log.filter(({ action }) => action === 'create').length, 1);
    assert.deepEqual(await listOutcomes(author), ['CROSS_POST_SUCCESS']);
    assert.equal((await readRow(id)).state, 'delivered');
  });

  test('a delivery to a destination that is unavailable for over a day fails with one outcome', async () => {
    const down: Fault = { platform: 'blogsite_b', action: 'create', times: ALWAYS, status: 503 };
    const { author, id, ends } = await publish('Down for days', 'blogsite_b', down);
    const started = world.now().getTime();
    assert.match(await ends('26 hours'), /^failed: Gave up after retrying for a day/);
    const tookMs = (await readRow(id)).endedAt.getTime() - started;
    assert.ok(tookMs >= 24 * HOUR_MS && tookMs < 24.5 * HOUR_MS, `after ${tookMs / HOUR_MS} h`);
    const requests = ALWAYS - ((await listRemainingFaults())[0]?.times ?? 0);
    assert.ok(requests > 50 && requests < MAX_REQUESTS_PER_DAY, `${requests} attempts`);
    assert.deepEqual(await listOutcomes(author), ['CROSS_POST_FAILED']);
    const { state, errorCode } = await readRow(id);
    assert.deepEqual([state, errorCode], ['failed', 'gave_up']);
    await world.faults([]);
    await world.pass('3 days');
    assert.deepEqual(await world.log('Down for days'), [], 'given up is given up');
  });

  test('if look-ups get no response for a day, the delivery ends as unknown with one outcome', async () => {
    const silent: Fault = { platform: 'blogsite_a', action: 'find', times: ALWAYS, drop: 'before' };
    const cut: Fault = { platform: 'blogsite_a', action: 'create', times: 1, drop: 'after' };
    const { author, id, ends } = await publish('Silent for days', 'blogsite_a', silent, cut);
    assert.match(await ends('26 hours'), /^unknown: Gave up after retrying for a day/);
    assert.deepEqual(await listOutcomes(author), ['CROSS_POST_FAILED']);
    assert.equal((await readRow(id)).state, 'unknown');
    assert.equal((await world.log('Silent for days')).length, 1, 'nothing is repeated blindly');
  });

  test('after a 429 with a Retry-After of eleven days, the delivery is retried after an hour', async () => {
    const headers = { 'retry-after': '999999' };
    const limited: Fault = { platform: 'blogsite_a', action: 'create', times: 1, status: 429, headers };
    const { author, id, ends } = await publish('Limited for days', 'blogsite_a', limited);
    const started = world.now().getTime();
    assert.match(await ends('2 hours'), /^delivered/);
    const tookMs = (await readRow(id)).endedAt.getTime() - started;
    assert.ok(tookMs > 50 * MINUTE_MS && tookMs < 70 * MINUTE_MS, `${tookMs / MINUTE_MS} min`);
    assert.deepEqual(await listOutcomes(author), ['CROSS_POST_SUCCESS']);
  });

  test('if the destination has no look-up, the same request is repeated once after a minute, and there is one post', async () => {
    const cut: Fault = { platform: 'social_feed', action: 'create', times: 1, drop: 'after' };
    const { author, id, ends } = await publish('Cut and repeated', 'social_feed', cut);
    const started = world.now().getTime();
    assert.match(await ends('2 hours'), /^delivered/);
    const tookMs = (await readRow(id)).endedAt.getTime() - started;
    assert.ok(tookMs >= MINUTE_MS - 5_000 && tookMs < 3 * MINUTE_MS, `${tookMs / 1_000} s`);
    assert.equal((await world.log('Cut and repeated')).length, 1);
    assert.deepEqual(await listOutcomes(author), ['CROSS_POST_SUCCESS']);
  });

  async function publish(title: string, destination: DestinationKey, ...faults: Fault[]) {
    const author = await world.api.createAuthor(title.toLowerCase().replaceAll(' ', '-'));
    await world.connect(author, destination);
    await world.faults(faults);
    const frontmatter = { title, cross_post: { [destination]: true } };
    const answer = await world.api.publish({ content: markdown(frontmatter) }, { token: author.token });
    const id = answer.body.data?.id ?? '';
    await world.waitForEmptyOutbox();
    return { author, id, ends: (within: string) => world.ends(`delivery/${id}/${destination}`, within) };
  }

  async function listRemainingFaults(): Promise<Fault[]> {
    return (await (await fetch(`${world.sandboxUrl}/faults`)).json()) as Fault[];
  }

  async function listOutcomes(author: TestAuthor): Promise<string[]> {
    return (await world.notifications(author)).map(({ type }) => type);
  }

  function readRow(articleId: string) {
    return world.api.db
      .selectFrom('deliveryStates as s')
      .select(['s.state', 's.errorCode'])
      .select(
        sql<Date>`(select max(ended_at) from delivery_attempts t where t.delivery_id = s.delivery_id)`.as('endedAt'),
      )
      .where('s.articleId', '=', articleId)
      .where('s.deliveryId', 'is not', null)
      .executeTakeFirstOrThrow();
  }
});
