/**
 * A separate PostgreSQL that a test kills and restarts. Committed data survives, as on a durable
 * server.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../../scripts/start/ports.ts';
import { prepareCluster } from '../../../scripts/start/postgres/cluster.ts';
import { buildClusterUrl, buildPostgresCommand, waitForPostgres } from '../../../scripts/start/postgres/server.ts';
import { launch, stopProcess } from '../../../scripts/start/processes/launch.ts';
import { migrateToLatest } from '../../../store/db/migrate.ts';

export interface OwnPostgres {
  /** The address of a database with the current schema. */
  url: string;
  kill(): Promise<void>;
  /** Resolves when it responds, which after a kill is when its log is replayed. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const home = mkdtempSync(join(tmpdir(), 'courant-postgres-'));
  const cluster = await prepareCluster(home, () => undefined);
  const port = await findFreePort();
  const url = buildClusterUrl(cluster, { port, role: 'postgres', database: 'postgres' });
  const launchPostgres = async () => {
    const server = await launch(buildPostgresCommand(cluster, { port, durable: true }), join(home, 'postgres.log'));
    await waitForPostgres(url, { timeoutMs: 60_000, gone: new AbortController().signal });
    return server;
  };
  let server = await launchPostgres();
  const postgres: OwnPostgres = {
    url,
    kill: async () => void (await stopProcess(server.identity, { signal: 'SIGKILL', patienceMs: 2_000 })),
    async start() {
      server = await launchPostgres();
    },
    async close() {
      await stopProcess(server.identity, { signal: 'SIGQUIT', patienceMs: 4_000 });
      rmSync(home, { recursive: true, force: true });
    },
  };
  await migrateToLatest(url).catch(async (error: unknown) => {
    await postgres.close();
    throw error;
  });
  return postgres;
}
