/**
 * A worker is frozen for longer than its Temporal heartbeat timeout, as when its machine is paused.
 * Another worker continues its work, then the frozen one resumes.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { TIMEOUTS } from '../../../delivery/timeouts.ts';
import { holdWrites } from '../../support/database/held-writes.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import { listPlatforms, type PublishedAt, publishEverywhere } from '../../support/delivery/platforms.ts';
import { countCreates, listEvents, waitForDeliveryEnd, waitForFaults } from '../../support/delivery/publishing.ts';
import { prepareWorker, type WorkerProcess } from '../../support/delivery/worker-process.ts';
import { eventually } from '../../support/eventually.ts';

let world: DeliveryWorld;
let frozen: WorkerProcess;
let other: WorkerProcess;
before(async () => {
  world = await startDeliveryWorld({ worker: false });
  const env = { DELIVERY_PACING: 'off', LATE_REQUEST_SECONDS: '1' };
  frozen = prepareWorker(world, { env });
  other = prepareWorker(world, { env });
  await frozen.start();
});
after(async () => {
  await Promise.all([frozen?.kill(), other?.kill()]);
  await world?.close();
});

/** Includes the time after which the other worker gives up outcomes that cannot be looked up. */
const END_WITHIN_MS = 240_000;
const SETTLED = { medium: 'unknown' } as Record<string, string>;

test('a worker is frozen during creates at all platforms: another adopts the posts, and the first changes nothing on resume (F35)', async () => {
  const slow = { action: 'create', delayMs: 6_000 } as const;
  const published = await publishEverywhere(world, 'Frozen while sending', listPlatforms(), () => slow);
  await waitForFaults(world);
  await eventually('the posts', async () => (await countPosts(published)).every((count) => count === 1));
  frozen.freeze();
  await other.start();
  for (const { id, key, platform } of published) {
    await world.reaches(id, key, SETTLED[platform] ?? 'delivered', END_WITHIN_MS);
  }
  const before = await countPosts(published);
  frozen.thaw();
  await settle(published);
  assert.deepEqual(
    before,
    published.map(() => 1),
  );
  assert.deepEqual(await countPosts(published), before, 'no second post');
  for (const { author, platform } of published) {
    const events = await listEvents(world, author);
    // Medium has no look-up. The author is notified of the failure, and of the post only if the
    // frozen worker still reads the response.
    const expected = platform === 'medium' ? ['CROSS_POST_FAILED'] : ['CROSS_POST_SUCCESS'];
    assert.deepEqual(events.slice(0, 1), expected, platform);
    assert.ok(events.length === 1 || (platform === 'medium' && events.length === 2), `${platform}: ${events.join()}`);
  }
});

test('a worker is frozen during its attempt record: another worker sends, and the first sends nothing on resume (F35)', async (t) => {
  // Posts at Forem and WordPress can be looked up, and are absent.
  const cases = listPlatforms(({ destination }) => ['forem', 'wordpress'].includes(destination.platform));
  await other.kill();
  const marks = await holdWrites(world.api.databaseUrl, 'delivery_attempts', 'insert');
  t.after(() => marks.close());
  const published = await publishEverywhere(world, 'Frozen before sending', cases, () => null);
  const allWait = async () => (await marks.countWaiting()) === cases.length;
  await eventually('the marks to wait', allWait, { withinMs: END_WITHIN_MS });
  frozen.freeze();
  await marks.release();
  await other.start();
  for (const { id, key } of published) await world.reaches(id, key, 'delivered', END_WITHIN_MS);
  frozen.thaw();
  await settle(published);
  for (const { author, title, key, platform } of published) {
    assert.equal(await countCreates(world, title), 1, `${key} ${platform}`);
    assert.deepEqual(await listEvents(world, author), ['CROSS_POST_SUCCESS'], platform);
  }
});

function countPosts(published: readonly PublishedAt[]): Promise<number[]> {
  return Promise.all(published.map(({ title }) => countCreates(world, title)));
}

/** Waits for the time that a call may take to send, receive its response and record it. */
async function settle(published: readonly PublishedAt[]): Promise<void> {
  await sleep(TIMEOUTS.storeAnswerMs);
  for (const { id, key } of published) await waitForDeliveryEnd(world, id, key);
}
