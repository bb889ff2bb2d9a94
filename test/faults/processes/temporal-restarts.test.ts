/** A Temporal server with its state in a file, as in `npm start`, is killed and restarted. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Client, Connection } from '@temporalio/client';
import { blockConnection } from '../../../store/connections/rate-budget.ts';
import { registerSearchAttributes } from '../../../temporal/visibility/search-attributes.ts';
import type { TestAuthor } from '../../support/api/api.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import {
  assertOneEach,
  assertStillSending,
  buildFaultAt,
  createAuthorAt,
  type FaultAt,
  listPlatforms,
  type PlatformCase,
  type PublishedAt,
  publishAll,
  publishAt,
} from '../../support/delivery/platforms.ts';
import { waitForFaults } from '../../support/delivery/publishing.ts';
import { type Restartable, startTemporal, startWorker } from '../../walk/processes.ts';

/** Longer than `ANSWER_AFTER_MS`, so that creates are answered after Temporal is killed. */
const HTTP_TIMEOUT_MS = 4_000;
const ANSWER_AFTER_MS = 2_500;
const BLOCK_MS = 6_000;

let world: DeliveryWorld;
let temporal: Restartable;
const closers: (() => unknown)[] = [];
before(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'courant-f7-'));
  closers.push(() => rmSync(folder, { recursive: true, force: true }));
  const server = await startTemporal(folder);
  temporal = server;
  closers.push(() => server.close());
  const connection = await Connection.connect({ address: server.address });
  closers.push(() => connection.close());
  await registerSearchAttributes(connection, 'default');
  const client = new Client({ connection });
  world = await startDeliveryWorld({ worker: false, temporal: { address: server.address, client, connection } });
  closers.push(() => world.close());
  const worker = await startWorker({
    DATABASE_URL: world.api.databaseUrl,
    TEMPORAL_ADDRESS: server.address,
    TEMPORAL_TASK_QUEUE: world.api.taskQueue,
    COURANT_HOME: world.api.home,
    BASE_URL: `http://localhost:${new URL(world.api.url).port}`,
    HTTP_TIMEOUT_MS: String(HTTP_TIMEOUT_MS),
  });
  closers.push(() => worker.close());
});
after(async () => {
  for (const close of closers.reverse()) await close();
});

/**
 * Faults of each article's first create, so that it is unfinished when Temporal is killed. The
 * shortest comes last.
 */
const STATES: [state: string, fault: FaultAt][] = [
  ['waiting for a slot', { action: 'create', status: 429, headers: { 'retry-after': '6' } }],
  ['backing off', { action: 'create', status: 503 }],
  ['sending', { action: 'create', delayMs: ANSWER_AFTER_MS }],
];

test('Temporal is killed for 2, 8 and 40 s while deliveries send, wait and back off: one post and one event everywhere (F7)', async () => {
  const published: PublishedAt[] = [];
  for (const outageSeconds of [2, 8, 40]) {
    const inFlight = await publishInEveryState(`Away for ${outageSeconds} s`);
    published.push(...inFlight);
    await waitForFaults(world);
    await assertStillSending(world, inFlight);
    temporal.interrupt('SIGKILL', outageSeconds * 1_000);
    await temporal.ready();
    // Deliveries that still wait would receive the faults of the next round.
    await assertOneEach(world, inFlight.filter(hasNoLookUp), 150_000);
  }
  // A call that ended while Temporal was down may hold its permit for the maximum time of a call.
  await assertOneEach(world, published, 150_000);
});

test('a publish without Temporal responds as fast as usual, and is delivered once everywhere when Temporal returns (F6)', async () => {
  await world.faults([]);
  const cases = await Promise.all(
    listPlatforms().map(async (platformCase) => ({
      ...platformCase,
      author: await createAuthorAt(world, platformCase),
    })),
  );
  temporal.interrupt('SIGKILL', 5_000);
  const published: PublishedAt[] = [];
  for (const { author, ...platformCase } of cases) {
    const started = performance.now();
    published.push(await publishAt(world, platformCase, author, `Published meanwhile at ${platformCase.platform}`));
    const tookMs = performance.now() - started;
    assert.ok(tookMs < 2_000, `${tookMs} ms`);
  }
  await temporal.ready();
  await assertOneEach(world, published);
});

const hasNoLookUp = ({ row }: PlatformCase): boolean => !row.destination.limits.canFind;

/**
 * Medium and LinkedIn have no look-up and get only the state `sending` and a short block: a 503
 * leaves an unknown outcome (F3), and after a 429 the next slot is minutes or hours later.
 */
async function publishInEveryState(title: string): Promise<PublishedAt[]> {
  const blockedCases: { platformCase: PlatformCase; author: TestAuthor }[] = [];
  for (const platformCase of listPlatforms().filter(hasNoLookUp)) {
    blockedCases.push({ platformCase, author: await createAuthorAt(world, platformCase) });
  }
  const cases = STATES.flatMap(([state, fault]) =>
    listPlatforms(({ destination }) => destination.limits.canFind || state === 'sending').map((platformCase) => ({
      ...platformCase,
      title: `${title}, ${state}, at ${platformCase.platform}`,
      fault: buildFaultAt(platformCase, fault),
    })),
  );
  // Each article receives one of the faults of its platform; which one does not matter.
  await world.faults(cases.map(({ fault }) => fault));
  const published = await publishAll(
    world,
    cases.map(({ fault: _, ...platformCase }) => platformCase),
  );
  for (const { platformCase, author } of blockedCases) {
    published.push(
      await publishBehindBlock(`${title}, waiting for a slot, at ${platformCase.platform}`, platformCase, author),
    );
  }
  return published;
}

/** Publishes to a blocked account. The block is shorter than after a 429 of the platform. */
async function publishBehindBlock(title: string, platformCase: PlatformCase, author: TestAuthor): Promise<PublishedAt> {
  const { db } = world.api;
  const { id } = await db
    .selectFrom('connections')
    .select('id')
    .where('userId', '=', author.id)
    .executeTakeFirstOrThrow();
  await blockConnection(db, id, BLOCK_MS);
  return publishAt(world, platformCase, author, title);
}
