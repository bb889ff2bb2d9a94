/** Tests a PostgreSQL that is killed during deliveries and restarted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOwnPostgres } from '../../support/database/own-postgres.ts';
import { startDeliveryWorld } from '../../support/delivery/delivery.ts';
import {
  assertOneEach,
  assertStillSending,
  findImpatientDestination,
  listPlatforms,
  publishEverywhere,
} from '../../support/delivery/platforms.ts';
import { waitForFaults } from '../../support/delivery/publishing.ts';

/** Longer than a destination's answer, shorter than the time in which an activity stores it. */
const AWAY_MS = 4_000;
const ANSWER_AFTER_MS = 2_500;
const HTTP_TIMEOUT_MS = 4_000;

test('answers that arrive while PostgreSQL is killed are stored, with one post and one event at every platform (F8)', async (t) => {
  const closers: (() => unknown)[] = [];
  t.after(async () => {
    for (const close of closers.reverse()) await close();
  });
  const postgres = await startOwnPostgres();
  closers.push(() => postgres.close());
  const deps = { findDestination: findImpatientDestination, httpTimeoutMs: HTTP_TIMEOUT_MS };
  const world = await startDeliveryWorld({ api: { databaseUrl: postgres.url }, deps });
  closers.push(() => world.close());

  const slow = { action: 'create', delayMs: ANSWER_AFTER_MS } as const;
  const published = await publishEverywhere(world, 'Database away', listPlatforms(), () => slow);
  await waitForFaults(world);
  await assertStillSending(world, published);
  await postgres.kill();
  await new Promise((resolve) => setTimeout(resolve, AWAY_MS));
  await postgres.start();
  await assertOneEach(world, published);
  assert.equal((await world.api.publish({ content: '---\ntitle: Afterwards\n---\nText.\n' })).status, 201);
});
