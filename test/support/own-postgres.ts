/** A PostgreSQL of a test's own, which it kills and starts again. What was committed survives, as on a server that keeps its word. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../scripts/start/ports.ts';
import { prepareCluster } from '../../scripts/start/postgres/cluster.ts';
import { buildClusterUrl, buildPostgresCommand, waitForPostgres } from '../../scripts/start/postgres/server.ts';
import { endProcess, launch } from '../../scripts/start/processes/launch.ts';
import { migrateToLatest } from '../../store/db/migrate.ts';

export interface OwnPostgres {
  /** Address of a database with the present schema. */
  url: string;
  kill(): Promise<void>;
  /** Resolves once it answers; after a kill it has replayed its log by then. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const home = mkdtempSync(join(tmpdir(), 'courant-postgres-'));
  const cluster = await prepareCluster(home, () => undefined);
  const port = await findFreePort();
  const url = buildClusterUrl(cluster, { port, role: 'postgres', database: 'postgres' });
  const launchServer = async () => {
    const server = await launch(buildPostgresCommand(cluster, { port, durable: true }), join(home, 'postgres.log'));
    await waitForPostgres(url, { timeoutMs: 60_000, gone: new AbortController().signal });
    return server;
  };
  let server = await launchServer();
  const postgres: OwnPostgres = {
    url,
    kill: async () => void (await endProcess(server.identity, { signal: 'SIGKILL', patienceMs: 2_000 })),
    async start() {
      server = await launchServer();
    },
    async close() {
      await endProcess(server.identity, { signal: 'SIGQUIT', patienceMs: 4_000 });
      rmSync(home, { recursive: true, force: true });
    },
  };
  await migrateToLatest(url).catch(async (error: unknown) => {
    await postgres.close();
    throw error;
  });
  return postgres;
}
