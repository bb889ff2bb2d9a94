/** Tests waits for a rate limit, a credential and a connection at every platform. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { disconnectDestination } from '../../../store/connections/disconnect.ts';
import type { TestAuthor } from '../../support/api/api.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import {
  assertOneEach,
  createAuthorAt,
  findImpatientDestination,
  listPlatforms,
  type PlatformCase,
  type PublishedAt,
  publishAt,
  publishEverywhere,
} from '../../support/delivery/platforms.ts';
import { listEvents } from '../../support/delivery/publishing.ts';
import { eventually } from '../../support/eventually.ts';

const WAIT_S = 4;

let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld({ deps: { findDestination: findImpatientDestination } });
});
after(() => world.close());

for (const [form, cases, write] of [
  ['seconds', listPlatforms(), () => String(WAIT_S)],
  // The same function reads both. An HTTP date has a resolution of one second.
  ['a date', listPlatforms().slice(0, 1), () => new Date(Date.now() + (WAIT_S + 1) * 1_000).toUTCString()],
] as const) {
  test(`a 429 with Retry-After as ${form} delays the create, with one post and one event at ${cases.length > 1 ? 'every platform' : 'a platform'} (F11)`, async () => {
    const earliest = Date.now() + WAIT_S * 1_000;
    const published = await publishEverywhere(world, `Limited by ${form}`, cases, () => ({
      action: 'create',
      status: 429,
      headers: { 'retry-after': write() },
    }));
    await assertOneEach(world, published);
    for (const { title } of published) {
      const [create] = await world.log(title);
      assert.ok(Date.parse(create?.at ?? '') >= earliest, `${title}: created at ${create?.at}`);
    }
  });
}

test('a 401 is one CROSS_POST_FAILED for several articles, and a reconnection delivers each with one post and one event (F13)', async () => {
  await world.faults([]);
  const waiting: (PlatformCase & { author: TestAuthor; articles: PublishedAt[] })[] = [];
  for (const one of listPlatforms()) {
    const author = await createAuthorAt(world, one, one.row.refusedCredentials);
    const articles: PublishedAt[] = [];
    for (const which of ['first', 'second']) {
      articles.push(await publishAt(world, one, author, `Held ${which} at ${one.platform}`));
    }
    waiting.push({ ...one, author, articles });
  }
  for (const { key, author, articles } of waiting) {
    for (const { id } of articles) await world.reaches(id, key, 'held', 60_000);
    assert.deepEqual(await listEvents(world, author), ['CROSS_POST_FAILED'], `${key}: held with one event`);
    for (const { title } of articles) assert.deepEqual(await world.log(title), []);
  }
  for (const { key, platform, author } of waiting) await world.connect(author, key, undefined, platform);
  for (const { key, author, articles } of waiting) {
    for (const { id } of articles) await world.reaches(id, key, 'delivered', 60_000);
    for (const { title } of articles) {
      const log = await world.log(title);
      assert.deepEqual(
        log.map(({ action }) => action),
        ['create'],
        title,
      );
    }
    const events = await world.notifications(author);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['CROSS_POST_FAILED', ...articles.map(() => 'CROSS_POST_SUCCESS')],
      `${key}: one event for each that was released`,
    );
    const named = events.flatMap(({ payload }) => (payload.postTitle === undefined ? [] : [payload.postTitle]));
    for (const { title } of articles) assert.ok(named.includes(title), `${title} in ${JSON.stringify(named)}`);
  }
});

test('nothing is sent to a platform disconnected during the wait of a delivery (F26)', async () => {
  // One platform with look-up and one without.
  const cases = listPlatforms(({ destination: { platform } }) => ['forem', 'medium'].includes(platform));
  const published = await publishEverywhere(world, 'Disconnected', cases, () => ({
    action: 'create',
    status: 429,
    // Longer than the publishes and disconnections together.
    headers: { 'retry-after': '600' },
  }));
  for (const { id, key, author } of published) {
    await eventually('the wait', async () => (await world.reaches(id, key, 'pending')).nextAttemptAt);
    assert.equal(await disconnectDestination(world.api.db, author.id, key), true);
  }
  for (const { id, key } of published) await world.reaches(id, key, 'held', 60_000);
  for (const { title, author } of published) {
    assert.deepEqual(await world.log(title), [], title);
    assert.ok((await listEvents(world, author)).every((type) => type !== 'CROSS_POST_SUCCESS'));
  }
});
