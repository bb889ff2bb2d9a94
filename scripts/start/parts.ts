/** Defines the five processes of a local Courant: their commands and how they become ready. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cluster } from './postgres/cluster.ts';
import { buildClusterUrl, buildPostgresCommand, waitForPostgres } from './postgres/server.ts';
import { retryUntilReady } from './processes/launch.ts';
import type { Part } from './processes/supervise.ts';
import type { StartSettings } from './settings.ts';
import { buildTemporalCommand, waitForTemporal } from './temporal/server.ts';

/*
 * The stop timeouts (api and worker stop in parallel) add up to less than ten seconds, the limit
 * for a Ctrl-C. A kill loses nothing: activities are retried, PostgreSQL and SQLite replay their
 * logs.
 */

/** Deliveries have a lower priority than requests of people on a machine with few processors. */
export const BACKGROUND_NICENESS = 10;

/**
 * Keeps the memory of API and worker flat under load: a smaller young generation, two arenas instead
 * of one per thread, and freed memory is returned to the system (docs/internals/performance.md).
 */
export const MEMORY_ENVIRONMENT = {
  NODE_OPTIONS: '--max-semi-space-size=8',
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

/** The timeout until a part is ready. Replaying a database log after a crash takes longest. */
const READY_TIMEOUT_MS = 60_000;
/** The timeout of one liveness probe. */
const PROBE_TIMEOUT_MS = 8_000;

export function buildPostgresPart(cluster: Cluster, port: number): Part {
  const url = buildClusterUrl(cluster, { port, role: 'postgres', database: 'postgres' });
  return {
    name: 'postgres',
    command: buildPostgresCommand(cluster, { port, durable: true }),
    waitUntilReady: ({ gone }) => waitForPostgres(url, { timeoutMs: READY_TIMEOUT_MS, gone }),
    probe: (gone) => waitForPostgres(url, { timeoutMs: PROBE_TIMEOUT_MS, gone }),
    // PostgreSQL's "fast" shutdown closes connections, rolls back transactions and flushes data.
    stopSignal: 'SIGINT',
    stopTimeoutMs: 2_300,
  };
}

export function buildTemporalPart(program: string, settings: StartSettings): Part {
  const { home, temporalPort: port, temporalUiPort: uiPort } = settings;
  const command = buildTemporalCommand({ program, port, uiPort, stateFile: join(home, 'temporal.db'), folder: home });
  return {
    name: 'temporal',
    command: { ...command, niceness: BACKGROUND_NICENESS },
    waitUntilReady: ({ gone }) => waitForTemporal(`127.0.0.1:${port}`, { timeoutMs: READY_TIMEOUT_MS, gone }),
    probe: (gone) => waitForTemporal(`127.0.0.1:${port}`, { timeoutMs: PROBE_TIMEOUT_MS, gone }),
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 1_500,
  };
}

/** Our own programs and their environment. */
export interface Programs {
  /** Returns the file to run for a source. Both are relative to `root`. */
  find: (source: string) => string;
  env: NodeJS.ProcessEnv;
  root: string;
}

export function buildSandboxPart(settings: StartSettings, programs: Programs): Part {
  return {
    ...buildNodePart('sandbox', 'sandbox/main.ts', programs),
    waitUntilReady: ({ gone }) => waitForOk('sandbox', `http://127.0.0.1:${settings.sandboxPort}/log`, gone),
    probe: (signal) => probeUrl(`http://127.0.0.1:${settings.sandboxPort}/`, signal),
    stopTimeoutMs: 700,
  };
}

export function buildApiPart(settings: StartSettings, programs: Programs): Part {
  return {
    ...buildNodePart('api', 'api/app/main.ts', programs),
    waitUntilReady: ({ gone }) => waitForOk('api', `${settings.localApiUrl}/health/ready`, gone),
    // Liveness, not readiness: a restart does not help an API without a database.
    probe: (signal) => probeUrl(`${settings.localApiUrl}/health/live`, signal),
  };
}

export function buildWorkerPart({ home }: StartSettings, { env, ...programs }: Programs): Part {
  const aliveFile = join(home, 'worker-alive');
  const { command, ...worker } = buildNodePart('worker', 'worker/main.ts', {
    ...programs,
    env: { ...env, ALIVE_FILE: aliveFile },
  });
  return {
    ...worker,
    command: { ...command, niceness: BACKGROUND_NICENESS },
    // The worker has no address.
    waitUntilReady: ({ waitForLine }) => waitForLine('worker ready'),
    probe: async () => {
      const { mtimeMs } = await stat(aliveFile);
      if (Date.now() - mtimeMs > PROBE_TIMEOUT_MS) throw new Error(`${aliveFile} is old`);
    },
  };
}

async function probeUrl(url: string, signal: AbortSignal): Promise<void> {
  await (await fetch(url, { signal })).body?.cancel();
}

/**
 * Builds the environment of api, worker, sandbox and migrations: the current one plus the settings
 * of this start.
 */
export function buildPartEnvironment(
  settings: StartSettings,
  decided: { databaseUrl: string; temporalAddress: string },
  current: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  return {
    ...MEMORY_ENVIRONMENT,
    // The sandbox listens on the loopback interface, which destinations may not use otherwise.
    // Allows only its address.
    ALLOW_PRIVATE_DESTINATIONS: ['127.0.0.1', 'localhost'].map((host) => `${host}:${settings.sandboxPort}`).join(','),
    // The person who starts the stack is its operator, so the desk links each delivery to its
    // workflow.
    ...(settings.temporalAddress === undefined && {
      TEMPORAL_UI_URL: `http://localhost:${settings.temporalUiPort}/namespaces/default`,
    }),
    // The compile cache survives restarts: types are stripped once, and a second start is one
    // second faster.
    NODE_COMPILE_CACHE: join(settings.home, 'cache', 'node'),
    ...current,
    DATABASE_URL: decided.databaseUrl,
    TEMPORAL_ADDRESS: decided.temporalAddress,
    PORT: String(settings.port),
    BASE_URL: settings.baseUrl,
    API_URL: settings.apiUrl,
    COURANT_HOME: settings.home,
    SANDBOX_PORT: String(settings.sandboxPort),
    SANDBOX_STATE: join(settings.home, 'sandbox.json'),
  };
}

function buildNodePart(
  name: string,
  source: string,
  { find, env, root }: Programs,
): Omit<Part, 'waitUntilReady' | 'probe'> {
  return {
    name,
    command: { file: process.execPath, args: [find(source)], env, cwd: root },
    stopSignal: 'SIGTERM',
    // Shorter than the worker's own grace period, so that stopping everything does not wait for a
    // slow destination. The next start looks up calls that were cut.
    stopTimeoutMs: 4_500,
  };
}

/** Waits for a response with status 200. */
function waitForOk(name: string, url: string, gone: AbortSignal): Promise<void> {
  const check = async () => {
    const response = await fetch(url, { signal: AbortSignal.any([gone, AbortSignal.timeout(2_000)]) });
    await response.body?.cancel();
    if (response.status !== 200) throw new Error(`${url} responds with ${response.status}`);
  };
  return retryUntilReady(name, check, { timeoutMs: READY_TIMEOUT_MS, gone });
}
