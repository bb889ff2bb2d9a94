/**
 * Starts the servers for tests on free ports: PostgreSQL (temporary folder, no fsync) and Temporal
 * (in memory).
 */
import { existsSync, globSync, mkdtempSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endOrphans, type LockedHome, lockHome, readLockHolder } from '../start/home.ts';
import { findFreePort } from '../start/ports.ts';
import { prepareCluster } from '../start/postgres/cluster.ts';
import { buildClusterUrl, buildPostgresCommand, waitForPostgres } from '../start/postgres/server.ts';
import { type Command, launch, stopProcess } from '../start/processes/launch.ts';
import { resolveTemporalPath } from '../start/temporal/program.ts';
import { buildTemporalCommand, waitForTemporal } from '../start/temporal/server.ts';

export interface TestServices {
  /** The superuser, so that tests can create databases. */
  databaseUrl: string;
  temporalAddress: string;
  stop(): Promise<void>;
}

const READY_TIMEOUT_MS = 30_000;
/** The prefix of these folders only. Tests create other folders in the same place. */
const PREFIX = 'courant-servers-';
/** A run locks its folder right after it has created it. */
const UNLOCKED_MS = 60_000;

/**
 * Linux keeps these files in memory. A test file creates a database of 11 MB, which takes 50 ms of
 * processor time there and 240 ms on ext4. TMPDIR overrides it.
 */
const MEMORY = '/dev/shm';
const NEEDED_BYTES = 2 * 1024 ** 3;

/** Starts both servers in parallel. Stops both if one fails. */
export async function startTestServices(announce: (step: string) => void): Promise<TestServices> {
  await sweepAbandonedHomes();
  const home = lockHome(mkdtempSync(join(chooseFolder(), PREFIX)));
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    await Promise.all(stops.map((stopServer) => stopServer()));
    // With the lock, so that a partly removed folder never seems abandoned.
    rmSync(home.folder, { recursive: true, force: true, maxRetries: 5 });
  };
  // Waits for both before handling a failure, so that `stop` ends everything that was started.
  const [postgres, temporal] = await Promise.allSettled([
    startPostgres(home, stops, announce),
    startTemporal(home, stops, announce),
  ]);
  if (postgres.status === 'fulfilled' && temporal.status === 'fulfilled')
    return { databaseUrl: postgres.value, temporalAddress: temporal.value, stop };
  await stop();
  throw postgres.status === 'rejected' ? postgres.reason : (temporal as PromiseRejectedResult).reason;
}

/** Uses the developer's running servers (`npm run test:services`), else starts new ones. */
export async function provideTestServices(
  announce: (step: string) => void,
): Promise<{ env: NodeJS.ProcessEnv; stop: () => Promise<void> }> {
  const { env } = process;
  if (env.TEST_DATABASE_URL && env.TEST_TEMPORAL_ADDRESS) return { env, stop: async () => undefined };
  const { databaseUrl, temporalAddress, stop } = await startTestServices(announce);
  return { env: { ...env, TEST_DATABASE_URL: databaseUrl, TEST_TEMPORAL_ADDRESS: temporalAddress }, stop };
}

/** Removes the folders of runs that were killed, and ends their servers. */
export async function sweepAbandonedHomes(): Promise<void> {
  for (const folder of [tmpdir(), MEMORY].flatMap((place) => globSync(join(place, `${PREFIX}*`)))) {
    try {
      const isNew = Date.now() - statSync(folder).ctimeMs < UNLOCKED_MS && globSync(`${folder}/*`).length === 0;
      if (isNew || readLockHolder(folder) !== null) continue;
      await endOrphans(lockHome(folder));
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    } catch (error) {
      // Another run was first, or the folder belongs to another user.
      process.stderr.write(`${folder} was not removed: ${(error as Error).message}\n`);
    }
  }
}

function chooseFolder(): string {
  if (process.env.TMPDIR || !existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > NEEDED_BYTES ? MEMORY : tmpdir();
}

type Start = (home: LockedHome, stops: (() => Promise<unknown>)[], announce: (step: string) => void) => Promise<string>;

const startPostgres: Start = async (home, stops, announce) => {
  const cluster = await prepareCluster(home.folder, announce);
  const port = await findFreePort();
  const url = buildClusterUrl(cluster, { port, role: 'postgres', database: 'postgres' });
  // SIGQUIT skips the final checkpoint, because the data is not needed.
  const command = buildPostgresCommand(cluster, { port, durable: false });
  const gone = await run('postgres', command, 'SIGQUIT', home, stops);
  await waitForPostgres(url, { timeoutMs: READY_TIMEOUT_MS, gone });
  return url;
};

const startTemporal: Start = async (home, stops, announce) => {
  const program = await resolveTemporalPath({ env: process.env, announce });
  const port = await findFreePort();
  const command = buildTemporalCommand({ program, port, uiPort: null, stateFile: null, folder: home.folder });
  const gone = await run('temporal', command, 'SIGTERM', home, stops);
  await waitForTemporal(`127.0.0.1:${port}`, { timeoutMs: READY_TIMEOUT_MS, gone });
  return `127.0.0.1:${port}`;
};

/** Returns a signal that fires when the server ends. */
async function run(
  name: string,
  command: Command,
  signal: NodeJS.Signals,
  home: LockedHome,
  stops: (() => Promise<unknown>)[],
): Promise<AbortSignal> {
  const { identity, exited } = await launch(command, join(home.folder, 'logs', `${name}.log`));
  stops.push(() => stopProcess(identity, { signal, patienceMs: 4_000 }));
  home.record(name, identity);
  const gone = new AbortController();
  void exited.then((how) => gone.abort(new Error(`${command.file} ended immediately (${how})`)));
  return gone.signal;
}
