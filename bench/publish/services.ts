/**
 * Starts a durable PostgreSQL, a Temporal server, an API, a worker and the baseline, each as a
 * process like in production.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BACKGROUND_NICENESS, MEMORY_ENVIRONMENT } from '../../scripts/start/parts.ts';
import { findFreePort } from '../../scripts/start/ports.ts';
import { prepareCluster } from '../../scripts/start/postgres/cluster.ts';
import { buildClusterUrl, buildPostgresCommand, waitForPostgres } from '../../scripts/start/postgres/server.ts';
import { type Command, launch, type RunningProcess, stopProcess } from '../../scripts/start/processes/launch.ts';
import { providePrograms } from '../../scripts/start/programs.ts';
import { resolveTemporalPath } from '../../scripts/start/temporal/program.ts';
import { buildTemporalCommand, waitForTemporal } from '../../scripts/start/temporal/server.ts';
import { findOrCreateAccount } from '../../store/connections/accounts.ts';
import { type Database, openDatabase } from '../../store/db/database.ts';
import { migrateToLatest } from '../../store/db/migrate.ts';
import { createDeveloperToken } from '../../store/tokens/developer-tokens.ts';
import { createUser } from '../../store/users/create-user.ts';

/** Resident memory in MB. */
type Memory = { api: number; worker: number };

export interface BenchServices {
  apiUrl: string;
  floorUrl: string;
  token: string;
  /**
   * The token of an author with two destinations, for which each article is formatted before the
   * response. Their addresses do not respond.
   */
  connectedToken: string;
  userId: string;
  databaseUrl: string;
  temporalAddress: string;
  /** COURANT_HOME. */
  home: string;
  /** Starts another process, which ends with the others. */
  start(name: string, command: Command): Promise<void>;
  idleMemory: Memory;
  residentMemory(): Promise<Memory>;
  /** Resident memory in MB. */
  temporalMemory(): number;
  /** Processor time since the start, in seconds. Linux only. */
  cpuSeconds(): { worker: number; temporal: number };
  stopTemporal(): Promise<void>;
  stop(): Promise<void>;
}

export interface BenchOptions {
  /** Variables for API and worker, in addition to those of all benchmarks. */
  env?: Record<string, string>;
}

export async function startBenchServices(options: BenchOptions = {}): Promise<BenchServices> {
  const home = mkdtempSync(join(tmpdir(), 'courant-bench-'));
  const running: RunningProcess[] = [];
  const start = async (name: string, command: Command) => {
    const process = await launch(command, join(home, `${name}.log`));
    running.push(process);
    return process;
  };
  const end = (process: RunningProcess) => stopProcess(process.identity, { signal: 'SIGTERM', patienceMs: 6_000 });
  const gone = new AbortController().signal;

  const cluster = await prepareCluster(home, () => undefined);
  const pgPort = await findFreePort();
  await start('postgres', buildPostgresCommand(cluster, { port: pgPort, durable: true }));
  const databaseUrl = buildClusterUrl(cluster, { port: pgPort, role: 'postgres', database: 'postgres' });
  await waitForPostgres(databaseUrl, { timeoutMs: 30_000, gone });
  await migrateToLatest(databaseUrl);

  const temporalPort = await findFreePort();
  const program = await resolveTemporalPath({ env: process.env, announce: (step) => console.log(step) });
  const stateFile = join(home, 'temporal.db');
  const temporal = await start('temporal', {
    ...buildTemporalCommand({ program, port: temporalPort, uiPort: null, stateFile, folder: home }),
    niceness: BACKGROUND_NICENESS,
  });
  await waitForTemporal(`127.0.0.1:${temporalPort}`, { timeoutMs: 30_000, gone });

  const [apiPort, floorPort] = [await findFreePort(), await findFreePort()];
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: `127.0.0.1:${temporalPort}`,
    COURANT_HOME: home,
    PUBLISH_RATE_PER_MINUTE: '1000000',
    LOG_LEVEL: 'info',
    ...MEMORY_ENVIRONMENT,
    NODE_COMPILE_CACHE: join(home, 'cache', 'node'),
    ...options.env,
  };
  const find = await providePrograms(process.cwd(), gone);
  const node = (source: string, port: number, script = find(source)): Command => ({
    file: process.execPath,
    args: [script],
    env: { ...env, PORT: String(port) },
    cwd: process.cwd(),
  });
  // The first start fills the compile cache, as before any later start.
  for (let round = 1; round <= 2; round++) {
    const api = await start('api', node('api/app/main.ts', apiPort));
    const worker = await start('worker', { ...node('worker/main.ts', apiPort), niceness: BACKGROUND_NICENESS });
    await waitForLine(join(home, 'api.log'), 'api ready', round);
    await waitForLine(join(home, 'worker.log'), 'worker ready', round);
    if (round === 1) await Promise.all([end(api), end(worker)]);
  }
  const [worker, api] = [running.at(-1), running.at(-2)];
  await start('floor', node('bench/publish/floor.ts', floorPort, 'bench/publish/floor.ts'));
  await new Promise((resolve) => setTimeout(resolve, 4_000));

  const db = openDatabase(databaseUrl, { maxConnections: 1 });
  const author = await createAuthor(db, 'bench');
  const { token } = author;
  const connected = await createAuthor(db, 'connected');
  for (const [destination, platform] of [
    ['blogsite_a', 'forem'],
    ['blogsite_b', 'hashnode'],
  ] as const) {
    const connection = { userId: connected.id, destination, platform, baseUrl: 'http://127.0.0.1:9' };
    const accountId = await findOrCreateAccount(db, { ...connection, account: { identity: connected.id, name: null } });
    const values = { ...connection, accountId, credentialsSealed: Buffer.alloc(1) };
    await db.insertInto('connections').values(values).execute();
  }
  await db.destroy();

  const residentMemory = async () => ({ api: residentMb(api), worker: residentMb(worker) });
  return {
    apiUrl: `http://127.0.0.1:${apiPort}`,
    floorUrl: `http://127.0.0.1:${floorPort}/`,
    token,
    connectedToken: connected.token,
    userId: author.id,
    databaseUrl,
    temporalAddress: `127.0.0.1:${temporalPort}`,
    home,
    start: async (name, command) => void (await start(name, command)),
    idleMemory: await residentMemory(),
    residentMemory,
    temporalMemory: () => residentMb(temporal),
    cpuSeconds: () => ({ worker: readCpuSeconds(worker), temporal: readCpuSeconds(temporal) }),
    stopTemporal: async () => void (await end(temporal)),
    async stop() {
      for (const process of [...running].reverse()) await end(process);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

export async function createAuthor(db: Database, username: string): Promise<{ id: string; token: string }> {
  const email = `${username}@example.org`;
  const now = new Date();
  const { id } = await createUser(db, { username, name: username, email, passwordHash: 'x', now });
  return { id, token: (await createDeveloperToken(db, { userId: id, name: 'bench', now })).token };
}

async function waitForLine(file: string, text: string, times: number): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (readFileSync(file, 'utf8').split(text).length > times) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${file} never contained "${text}"`);
}

function residentMb(process: RunningProcess | undefined): number {
  const status = readFileSync(`/proc/${process?.identity.pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024);
}

function readCpuSeconds(process: RunningProcess | undefined): number {
  const stat = readFileSync(`/proc/${process?.identity.pid}/stat`, 'utf8');
  // After the name in brackets: user and system time, in ticks of 10 ms.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
