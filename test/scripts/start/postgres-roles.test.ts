import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { findFreePort } from '../../../scripts/start/ports.ts';
import { prepareCluster } from '../../../scripts/start/postgres/cluster.ts';
import {
  buildClusterUrl,
  buildPostgresCommand,
  ensureServiceDatabase,
  waitForPostgres,
} from '../../../scripts/start/postgres/server.ts';
import { launch, stopProcess } from '../../../scripts/start/processes/launch.ts';

test('the service’s role and the superuser have different passwords, and a lost one of the service is replaced', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'courant-roles-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const cluster = await prepareCluster(home, () => undefined);
  const port = await findFreePort();
  const server = await launch(buildPostgresCommand(cluster, { port, durable: false }), join(home, 'postgres.log'));
  t.after(() => stopProcess(server.identity, { signal: 'SIGQUIT', patienceMs: 4_000 }));
  const asSuperuser = buildClusterUrl(cluster, { port, role: 'postgres', database: 'postgres' });
  await waitForPostgres(asSuperuser, { timeoutMs: 20_000, gone: new AbortController().signal });
  await ensureServiceDatabase(cluster, port);

  const own = buildClusterUrl(cluster, { port, role: 'courant', database: 'courant' });
  assert.deepEqual(await read(own, 'select rolsuper from pg_roles where rolname = current_user'), [
    { rolsuper: false },
  ]);
  const swapped = new URL(asSuperuser);
  swapped.password = new URL(own).password;
  await assert.rejects(read(swapped.href, 'select 1'), { code: '28P01' });
  for (const file of ['postgres-password', 'postgres-service-password'])
    assert.equal(statSync(join(home, file)).mode & 0o777, 0o600, file);

  rmSync(join(home, 'postgres-service-password'));
  const again = await prepareCluster(home, () => undefined);
  await ensureServiceDatabase(again, port);
  await assert.rejects(read(own, 'select 1'), { code: '28P01' });
  assert.equal(
    (await read(buildClusterUrl(again, { port, role: 'courant', database: 'courant' }), 'select 1')).length,
    1,
  );
});

async function read(url: string, query: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    return (await client.query(query)).rows;
  } finally {
    await client.end();
  }
}
