/**
 * Half-open connections, which the network dropped without notice: from a worker to PostgreSQL and
 * Temporal, and from an API to Temporal.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ApiProcess, prepareApi } from '../../api/support/api-process.ts';
import { startTcpProxy, type TcpProxy } from '../../api/support/tcp-proxy.ts';
import { markdown, postArticle } from '../../support/api/api.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import {
  assertOneEach,
  assertStillSending,
  listPlatforms,
  publishEverywhere,
} from '../../support/delivery/platforms.ts';
import { assertOnePostOneEvent, createConnectedAuthor, waitForFaults } from '../../support/delivery/publishing.ts';
import { prepareWorker, type WorkerProcess } from '../../support/delivery/worker-process.ts';
import { readTemporalAddress } from '../../support/environment.ts';

let world: DeliveryWorld;
let worker: WorkerProcess;
let api: ApiProcess;
let toDatabase: TcpProxy;
let toTemporal: TcpProxy;
before(async () => {
  world = await startDeliveryWorld({ worker: false });
  const database = new URL(world.api.databaseUrl);
  toDatabase = await startTcpProxy({ port: Number(database.port) });
  toTemporal = await startTcpProxy({ port: Number(readTemporalAddress().split(':')[1]) });
  database.port = String(toDatabase.port);
  const temporal = `127.0.0.1:${toTemporal.port}`;
  const env = { DATABASE_URL: database.href, DELIVERY_PACING: 'off', LATE_REQUEST_SECONDS: '1' };
  worker = prepareWorker(world, { temporal, env });
  api = await prepareApi({ like: world.api, temporal });
  await Promise.all([worker.start(), api.start()]);
});
after(async () => {
  await Promise.all([worker?.kill(), api?.kill()]);
  await Promise.all([toDatabase?.close(), toTemporal?.close()]);
  await world?.close();
});

/**
 * The time to give up a call without a response, retry it over another connection, and look it up
 * at the destination.
 */
const WITHIN_MS = 240_000;

for (const [part, findProxy] of [
  ['PostgreSQL', () => toDatabase],
  ['Temporal', () => toTemporal],
] as const) {
  test(`the connections of a worker to ${part} become half-open during creates at all platforms: one post and one event everywhere (F36)`, async () => {
    const slow = { action: 'create', delayMs: 4_000 } as const;
    const published = await publishEverywhere(world, `Half-open to ${part}`, listPlatforms(), () => slow);
    await waitForFaults(world);
    await assertStillSending(world, published);
    assert.ok(findProxy().freezeOpenConnections() > 0);
    await assertOneEach(world, published, WITHIN_MS);
    assert.ok(worker.isRunning(), 'the same process');
  });
}

test('the connection of an API to Temporal becomes half-open: a publish succeeds and is delivered once by the next connection (F36)', async () => {
  // Stops the API of this process, because its dispatcher would deliver the article as well.
  await world.api.app.close();
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const firstPublish = await postArticle(api.url, author.token, { content: markdown({ title: 'Connected' }) });
  await world.reaches(firstPublish.body.data?.id ?? '', 'blogsite_a', 'delivered', WITHIN_MS);
  toTemporal.freezeOpenConnections();
  const other = await createConnectedAuthor(world, 'blogsite_a');
  const title = 'Into the void';
  const { status, body } = await postArticle(api.url, other.token, { content: markdown({ title }) });
  assert.equal(status, 201);
  await world.reaches(body.data?.id ?? '', 'blogsite_a', 'delivered', WITHIN_MS);
  await assertOnePostOneEvent(world, { author: other, title });
});
