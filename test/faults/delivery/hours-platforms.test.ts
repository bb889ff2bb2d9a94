/**
 * Long waits at all platforms: failures for an hour, and a 429 with an absurd or unreadable
 * `Retry-After`, on a server with a skipping clock.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  assertOneEach,
  type FaultAt,
  listPlatforms,
  type PublishedAt,
  publishEverywhere,
} from '../../support/delivery/platforms.ts';
import { skip } from '../../time/support/time-machine.ts';
import { startTimedWorld, type TimedWorld } from '../../time/support/world.ts';

const ALWAYS = 1_000_000;

describe('over hours, at every platform', { skip }, () => {
  let world: TimedWorld;
  before(async () => {
    world = await startTimedWorld();
  });
  after(() => world.close());

  test('after 5xx for an hour there is one post and one event at every platform with look-ups (F12)', async () => {
    const down = { action: 'any', status: 503, times: ALWAYS } as const;
    const published = await publish('Down for an hour', () => down);
    await world.pass('1 hour');
    await world.faults([]);
    await world.pass('30 minutes');
    const [findable, others] = [true, false].map((canFind) =>
      published.filter(({ row }) => row.destination.limits.canFind === canFind),
    );
    await assertOneEach(world, findable ?? []);
    // Without a look-up, a 5xx to a create remains unknown, and nothing is sent again (F3).
    for (const { id, key } of others ?? []) assert.equal((await world.reaches(id, key, 'unknown')).state, 'unknown');
  });

  for (const [what, value] of [
    ['an absurd value', '999999999'],
    ['an unreadable value', 'soon'],
  ] as const) {
    test(`a 429 with ${what} in Retry-After is a bounded wait, with one post and one event everywhere (F11)`, async () => {
      const limited = { action: 'create', status: 429, headers: { 'retry-after': value } } as const;
      const published = await publish(`Limited with ${what}`, () => limited);
      // The daily limits of Medium and LinkedIn end within a day.
      await world.pass('25 hours');
      await assertOneEach(world, published);
    });
  }

  async function publish(title: string, fault: () => FaultAt): Promise<PublishedAt[]> {
    const published = await publishEverywhere(world, title, listPlatforms(), fault);
    await world.waitForEmptyOutbox();
    // Lets the workflows begin.
    await world.pass('1 second');
    return published;
  }
});
