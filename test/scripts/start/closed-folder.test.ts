import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { findFreePort } from '../../../scripts/start/ports.ts';
import { prepareCluster } from '../../../scripts/start/postgres/cluster.ts';
import { buildClusterUrl, buildPostgresCommand, waitForPostgres } from '../../../scripts/start/postgres/server.ts';
import { launch, stopProcess } from '../../../scripts/start/processes/launch.ts';

const skip = process.getuid?.() === 0 ? false : 'only root lends PostgreSQL another user, whom a closed folder stops';

test('PostgreSQL runs below a folder that only root can enter', { skip }, async (t) => {
  const closed = mkdtempSync(join(tmpdir(), 'courant-closed-'));
  const home = join(closed, 'home');
  mkdirSync(home);
  t.after(() => rmSync(closed, { recursive: true, force: true }));
  const cluster = await prepareCluster(home, () => undefined);
  assert.ok(cluster.prefix.length > 0);
  const port = await findFreePort();
  const server = await launch(buildPostgresCommand(cluster, { port, durable: false }), join(home, 'postgres.log'));
  t.after(() => stopProcess(server.identity, { signal: 'SIGQUIT', patienceMs: 4_000 }));
  const url = buildClusterUrl(cluster, { port, role: 'postgres', database: 'postgres' });
  await waitForPostgres(url, { timeoutMs: 20_000, gone: new AbortController().signal });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('create table written (n int)');
  await client.end();
});
