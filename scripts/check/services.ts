/**
 * Starts the servers for tests on free ports: PostgreSQL (temporary folder, no fsync) and Temporal
 * (in memory).
 */
import { join } from 'node:path';
import type { LockedHome } from '../start/home.ts';
import { findFreePort } from '../start/ports.ts';
import { prepareCluster } from '../start/postgres/cluster.ts';
import { buildClusterUrl, buildPostgresCommand, waitForPostgres } from '../start/postgres/server.ts';
import { type Command, launch, type RunningProcess, stopProcess } from '../start/processes/launch.ts';
import { resolveTemporalPath } from '../start/temporal/program.ts';
import { buildTemporalCommand, waitForTemporal } from '../start/temporal/server.ts';
import { createTestHome, removeTestHome, sweepAbandonedHomes } from './test-home.ts';

export interface TestServices {
  /** The superuser, so that tests can create databases. */
  databaseUrl: string;
  temporalAddress: string;
  stop(): Promise<void>;
}

/** Starts both servers in parallel. Stops both if one fails. */
export async function startTestServices(announce: (step: string) => void): Promise<TestServices> {
  await sweepAbandonedHomes();
  const home = createTestHome();
  const running: Running[] = [];
  const stop = () => stopAll(home, running);
  try {
    // Waits for both before handling a failure, so that `stop` ends everything that was started.
    const [postgres, temporal] = await Promise.allSettled([
      startPostgres(home, running, announce),
      startTemporal(home, running, announce),
    ]);
    if (postgres.status === 'rejected') throw postgres.reason;
    if (temporal.status === 'rejected') throw temporal.reason;
    return { databaseUrl: postgres.value, temporalAddress: temporal.value, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Running extends RunningProcess {
  stopSignal: NodeJS.Signals;
}

async function startPostgres(home: LockedHome, running: Running[], announce: (step: string) => void): Promise<string> {
  const cluster = await prepareCluster(home.folder, announce);
  const port = await findFreePort();
  const url = buildClusterUrl(cluster, { port, role: 'postgres', database: 'postgres' });
  // SIGQUIT skips the final checkpoint, because the data is not needed.
  const server = await start(
    'postgres',
    buildPostgresCommand(cluster, { port, durable: false }),
    'SIGQUIT',
    home,
    running,
  );
  await waitForPostgres(url, { timeoutMs: 30_000, gone: abortOnExit(server) });
  return url;
}

async function startTemporal(home: LockedHome, running: Running[], announce: (step: string) => void): Promise<string> {
  const program = await resolveTemporalPath({ env: process.env, announce });
  const port = await findFreePort();
  const command = buildTemporalCommand({ program, port, uiPort: null, stateFile: null, folder: home.folder });
  const server = await start('temporal', command, 'SIGTERM', home, running);
  const address = `127.0.0.1:${port}`;
  await waitForTemporal(address, { timeoutMs: 30_000, gone: abortOnExit(server) });
  return address;
}

async function start(
  name: string,
  command: Command,
  stopSignal: NodeJS.Signals,
  home: LockedHome,
  running: Running[],
): Promise<RunningProcess> {
  const server = await launch(command, join(home.folder, 'logs', `${name}.log`));
  running.push({ ...server, stopSignal });
  home.record(name, server.identity);
  return server;
}

function abortOnExit(server: RunningProcess): AbortSignal {
  const controller = new AbortController();
  void server.exited.then(({ code, signal }) =>
    controller.abort(new Error(`${server.child.spawnfile} ended immediately (${signal ?? `exit code ${code}`})`)),
  );
  return controller.signal;
}

async function stopAll(home: LockedHome, running: Running[]): Promise<void> {
  await Promise.all(
    running.map(({ identity, stopSignal }) => stopProcess(identity, { signal: stopSignal, patienceMs: 4_000 })),
  );
  removeTestHome(home);
}
