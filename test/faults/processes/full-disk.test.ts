/** A database on a full disk: a small in-memory file system, which only root can mount. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Client } from 'pg';
import { findFreePort } from '../../../scripts/start/ports.ts';
import { prepareCluster } from '../../../scripts/start/postgres/cluster.ts';
import { buildClusterUrl, buildPostgresCommand, waitForPostgres } from '../../../scripts/start/postgres/server.ts';
import { launch, stopProcess } from '../../../scripts/start/processes/launch.ts';
import { migrateToLatest } from '../../../store/db/migrate.ts';
import { markdown, startTestApi } from '../../support/api/api.ts';

const DISK_MB = 64;

test('a publish on a full database disk is a 503 without effects; old articles are intact, and with space it works again (F22)', async (t) => {
  const closers: (() => unknown)[] = [];
  // Closes in reverse order of opening. Separate hooks would run in the other order.
  t.after(async () => {
    for (const close of closers.reverse()) await close();
  });
  const url = await startSmallDatabase(t, closers);
  if (url === null) return;
  const api = await startTestApi({ databaseUrl: url, temporal: `127.0.0.1:${await findFreePort()}` });
  closers.push(() => api.close());
  const old = { title: 'Was there before', id: 'before' };
  const first = await api.publish({ content: markdown(old, 'The old text.\n') });
  assert.equal(first.status, 201);
  const disk = new Client({ connectionString: url });
  await disk.connect();
  closers.push(() => disk.end());

  await fill(disk);
  const stored = await count();
  // One more than the free space in partly filled pages allows.
  for (const frontmatter of [old, { title: 'A new one' }, { title: 'Another one' }]) {
    const refused = await api.publish({ content: markdown(frontmatter, buildIncompressibleText()) });
    assert.equal(refused.status, 503, JSON.stringify(refused.body));
    assert.ok(refused.headers.get('retry-after'));
    assert.doesNotMatch(JSON.stringify(refused.body), /No space|extend/);
  }
  assert.deepEqual(await count(), stored, 'nothing was stored by half');
  const oldPage = await fetch(`${api.url}/${first.body.data?.slug}`);
  assert.equal(oldPage.status, 200);
  assert.match(await oldPage.text(), /The old text\./);

  await disk.query('drop table ballast');
  const body = buildIncompressibleText();
  const again = await api.publish({ content: markdown(old, body) });
  assert.deepEqual([again.status, again.body.action], [200, 'updated']);
  const created = await api.publish({ content: markdown({ title: 'A new one' }, body) });
  assert.equal(created.status, 201);

  async function count() {
    const { rows } = await disk.query(`select count(*) as articles, sum(revision) as revisions,
      (select count(*) from outbox) as outbox from articles`);
    return rows[0] as object;
  }
});

/**
 * Starts a separate server, because a full disk would affect other tests. Null if no small disk is
 * available.
 */
async function startSmallDatabase(t: TestContext, closers: (() => unknown)[]): Promise<string | null> {
  const home = mkdtempSync(join(tmpdir(), 'courant-f22-'));
  closers.push(() => rmSync(home, { recursive: true, force: true }));
  const disk = join(home, 'disk');
  mkdirSync(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', disk], { stdio: 'pipe' });
  } catch (error) {
    t.skip(`a small disk can only be mounted as root on Linux: ${(error as Error).message.trim()}`);
    return null;
  }
  closers.push(() => execFileSync('umount', ['-l', disk], { stdio: 'pipe' }));
  const cluster = await prepareCluster(home, () => undefined);
  if (cluster.account) chownSync(disk, cluster.account.uid, cluster.account.gid);
  const port = await findFreePort();
  const server = await launch(buildPostgresCommand(cluster, { port, durable: false }), join(home, 'postgres.log'));
  closers.push(() => stopProcess(server.identity, { signal: 'SIGQUIT', patienceMs: 4_000 }));
  const admin = buildClusterUrl(cluster, { port, role: 'postgres', database: 'postgres' });
  await waitForPostgres(admin, { timeoutMs: 60_000, gone: new AbortController().signal });
  const client = new Client({ connectionString: admin });
  await client.connect();
  await client.query(`create tablespace small location '${disk}'`);
  await client.query('create database full_disk tablespace small');
  await client.end();
  const url = buildClusterUrl(cluster, { port, role: 'postgres', database: 'full_disk' });
  await migrateToLatest(url);
  return url;
}

/** Fills the disk until not even a page is free. */
async function fill(client: Client): Promise<void> {
  // A page that is only in memory may have no reserved space on this file system.
  await client.query('checkpoint');
  await client.query('create table ballast (filler text)');
  await client.query('alter table ballast alter column filler set storage external');
  for (const bytes of [1_000_000, 50_000, 1_500]) {
    for (;;) {
      const filled = await client
        .query(`insert into ballast values (repeat('x', ${bytes}))`)
        .then(() => false)
        .catch((error: { code?: string }) => {
          assert.equal(error.code, '53100');
          return true;
        });
      if (filled) break;
    }
  }
}

/** Returns text that does not compress well. */
function buildIncompressibleText(): string {
  return Array.from({ length: 100 }, () => `${randomBytes(500).toString('hex')}\n`).join('\n');
}
