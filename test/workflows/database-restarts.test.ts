/** A PostgreSQL that is killed in the middle of deliveries, and comes back. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { findFreePort } from '../../scripts/start/ports.ts';
import { prepareCluster } from '../../scripts/start/postgres/cluster.ts';
import { buildClusterUrl, buildPostgresCommand, waitForPostgres } from '../../scripts/start/postgres/server.ts';
import { endProcess, launch } from '../../scripts/start/processes/launch.ts';
import { migrateToLatest } from '../../store/db/migrate.ts';
import { startDeliveryWorld } from '../support/delivery.ts';
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
  const home = mkdtempSync(join(tmpdir(), 'courant-f8-'));
  closers.push(() => rmSync(home, { recursive: true, force: true }));
  const cluster = await prepareCluster(home, () => undefined);
  const port = await findFreePort();
  const url = buildClusterUrl(cluster, { port, role: 'postgres', database: 'postgres' });
  const startPostgres = async () => {
    const server = await launch(buildPostgresCommand(cluster, { port, durable: true }), join(home, 'postgres.log'));
    await waitForPostgres(url, { timeoutMs: 30_000, gone: new AbortController().signal });
    return server;
  };
  let server = await startPostgres();
  closers.push(() => endProcess(server.identity, { signal: 'SIGQUIT', patienceMs: 4_000 }));
  await migrateToLatest(url);
  const deps = { findDestination: findImpatientDestination, httpTimeoutMs: HTTP_TIMEOUT_MS };
  const world = await startDeliveryWorld({ api: { databaseUrl: url }, deps });
  closers.push(() => world.close());

  const slow = { action: 'create', delayMs: ANSWER_AFTER_MS } as const;
  const published = await publishEverywhere(world, 'Database away', listPlatforms(), () => slow);
  await waitForFaults(world);
  await assertStillSending(world, published);
  await endProcess(server.identity, { signal: 'SIGKILL', patienceMs: 2_000 });
  await new Promise((resolve) => setTimeout(resolve, AWAY_MS));
  server = await startPostgres();
  await assertOneEach(world, published);
  assert.equal((await world.api.publish({ content: '---\ntitle: Afterwards\n---\nText.\n' })).status, 201);
});
