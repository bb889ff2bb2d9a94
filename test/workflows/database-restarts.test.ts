/** A PostgreSQL that is killed in the middle of deliveries, and comes back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDeliveryWorld } from '../support/delivery.ts';
import { startOwnPostgres } from '../support/own-postgres.ts';
import {
  assertOneEach,
  assertStillSending,
  findImpatientDestination,
  listPlatforms,
  publishEverywhere,
} from '../support/platforms.ts';
import { waitForFaults } from '../support/publishing.ts';

/** Longer than what a destination takes to answer, shorter than the time that an activity tries to write its answer down. */
const AWAY_MS = 4_000;
const ANSWER_AFTER_MS = 2_500;
const HTTP_TIMEOUT_MS = 4_000;

test('PostgreSQL is killed while every platform makes a post: the answers are kept, one post and one event everywhere (F8)', async (t) => {
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
