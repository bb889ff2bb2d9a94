/**
 * Temporal becomes unreachable, or the worker is stopped, during a create. The destination's
 * response is recorded in both cases.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DestinationKey } from '../../../article/types.ts';
import type { Platform } from '../../../destinations/types.ts';
import { type OwnTemporal, startOwnTemporal } from '../../histories/scenarios/own-temporal.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import { assertOnePostOneEvent, buildFault, publishArticle, waitForFaults } from '../../support/delivery/publishing.ts';
import { prepareWorker, type WorkerProcess } from '../../support/delivery/worker-process.ts';

const PLATFORMS = [
  ['blogsite_a', 'forem'],
  ['blogsite_b', 'hashnode'],
  ['blogsite_c', 'medium'],
  ['cms_site', 'wordpress'],
  ['cms_site', 'ghost'],
  ['social_feed', 'linkedin'],
] as const;

/** The delay of the responses to creates. */
const SLOW_MS = 6_000;

let temporal: OwnTemporal;
let world: DeliveryWorld;
let worker: WorkerProcess;
before(async () => {
  temporal = await startOwnTemporal([]);
  world = await startDeliveryWorld({ worker: false, temporal: temporal.temporal });
  worker = prepareWorker(world, { temporal: temporal.temporal.address, env: { DELIVERY_PACING: 'off' } });
  await worker.start();
});
after(async () => {
  await worker?.kill();
  await world?.close();
  await temporal?.stop();
});

/** Publishes one article to each platform. Resolves when all creates are in flight. */
async function publishSlowly(titlePrefix: string) {
  const faults = [...new Set(PLATFORMS.map(([key]) => key))].map((platform) =>
    buildFault('create', { platform, times: PLATFORMS.filter(([key]) => key === platform).length, delayMs: SLOW_MS }),
  );
  await world.faults(faults);
  const published = [];
  for (const [key, platform] of PLATFORMS) published.push(await publishAt(titlePrefix, key, platform));
  await waitForFaults(world);
  return published;
}

let authors = 0;
async function publishAt(titlePrefix: string, key: DestinationKey, platform: Platform) {
  const author = await world.api.createAuthor(`away-${++authors}`);
  await world.connect(author, key, undefined, platform);
  const title = `${titlePrefix} at ${platform}`;
  const only = { blogsite_a: false, blogsite_b: false, [key]: true };
  const { id } = await publishArticle(world, author, { title, cross_post: only });
  return { author, title, key, id };
}

async function assertDelivered(published: Awaited<ReturnType<typeof publishSlowly>>, withinMs: number) {
  for (const { author, title, key, id } of published) {
    await world.reaches(id, key, 'delivered', withinMs);
    await assertOnePostOneEvent(world, { author, title }, [key]);
  }
}

test('a worker that is stopped during a create of 6 s completes it, at every platform, 1/1 (F29)', async () => {
  const published = await publishSlowly('Deployed');
  assert.equal(await worker.stop(), 0);
  const answered = await world.api.db.selectFrom('deliveryAttempts').select(['answer', 'endedAt']).execute();
  assert.equal(answered.length, PLATFORMS.length, 'each was sent once');
  for (const { answer } of answered) assert.equal(answer?.kind, 'done', 'and its answer is written down');
  await worker.start();
  await assertDelivered(published, 60_000);
});

// The second outage is longer than the heartbeat timeout of a call.
for (const outageMs of [8_000, 26_000]) {
  test(`Temporal is unreachable for ${outageMs / 1_000} s during a create: the response is recorded, at every platform, 1/1 (F30)`, async () => {
    const published = await publishSlowly(`Away ${outageMs}`);
    temporal.pause();
    try {
      await sleep(outageMs);
    } finally {
      temporal.resume();
    }
    await assertDelivered(published, 90_000);
  });
}
