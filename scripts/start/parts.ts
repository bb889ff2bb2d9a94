/** Defines the five processes of a local Courant: their commands and how they become ready. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './postgres/cluster.ts';
import { buildClusterUrl, buildPostgresCommand, waitForPostgres } from './postgres/server.ts';
import type { Part } from './processes/supervise.ts';
import type { StartSettings } from './settings.ts';
import { StartError } from './start-error.ts';
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
 * of one per thread, and freed memory is returned to the system (docs/performance.md, Memory under load).
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
  return {
    name: 'temporal',
    command: {
      ...buildTemporalCommand({ program, port, uiPort, stateFile: join(home, 'temporal.db'), folder: home }),
      niceness: BACKGROUND_NICENESS,
    },
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
    ...buildNodePart('sandbox', 700, 'sandbox/main.ts', programs),
    waitUntilReady: ({ gone }) => waitForOk('sandbox', `http://127.0.0.1:${settings.sandboxPort}/log`, gone),
    probe: (signal) => probeUrl(`http://127.0.0.1:${settings.sandboxPort}/`, signal),
  };
}

export function buildApiPart(settings: StartSettings, programs: Programs): Part {
  return {
    ...buildNodePart('api', 4_500, 'api/app/main.ts', programs),
    waitUntilReady: ({ gone }) => waitForOk('api', `${settings.localApiUrl}/health/ready`, gone),
    // Liveness, not readiness: a restart does not help an API without a database.
    probe: (signal) => probeUrl(`${settings.localApiUrl}/health/live`, signal),
  };
}

export function buildWorkerPart(settings: StartSettings, programs: Programs): Part {
  // Shorter than the worker's own grace period, so that stopping everything does not wait for a
  // slow destination. The next start looks up calls that were cut. A worker that is stopped alone
  // completes its calls.
  const aliveFile = join(settings.home, 'worker-alive');
  const worker = buildNodePart('worker', 4_500, 'worker/main.ts', {
    ...programs,
    env: { ...programs.env, ALIVE_FILE: aliveFile },
  });
  return {
    ...worker,
    command: { ...worker.command, niceness: BACKGROUND_NICENESS },
    // The worker has no address to probe.
    waitUntilReady: ({ waitForLine }) => waitForLine('worker ready'),
    probe: () => probeFile(aliveFile),
  };
}

async function probeUrl(url: string, signal: AbortSignal): Promise<void> {
  await (await fetch(url, { signal })).body?.cancel();
}

/** Checks a file that the part writes every few seconds. */
async function probeFile(file: string): Promise<void> {
  const { mtimeMs } = await stat(file);
  if (Date.now() - mtimeMs > PROBE_TIMEOUT_MS) throw new Error(`${file} is old`);
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
    ...(settings.temporalAddress === null && {
      TEMPORAL_UI_URL: `http://localhost:${settings.temporalUiPort}/namespaces/default`,
    }),
    ...current,
    DATABASE_URL: decided.databaseUrl,
    TEMPORAL_ADDRESS: decided.temporalAddress,
    PORT: String(settings.port),
    BASE_URL: settings.baseUrl,
    API_URL: settings.apiUrl,
    COURANT_HOME: settings.home,
    SANDBOX_PORT: String(settings.sandboxPort),
    SANDBOX_STATE: join(settings.home, 'sandbox.json'),
    // The compile cache survives restarts: types are stripped once, and a second start is one
    // second faster.
    NODE_COMPILE_CACHE: current.NODE_COMPILE_CACHE ?? join(settings.home, 'cache', 'node'),
  };
}

function buildNodePart(
  name: string,
  stopTimeoutMs: number,
  source: string,
  { find, env, root }: Programs,
): Omit<Part, 'waitUntilReady' | 'probe'> {
  return {
    name,
    command: { file: process.execPath, args: [find(source)], env, cwd: root },
    stopSignal: 'SIGTERM',
    stopTimeoutMs,
  };
}

/** Waits for a response with status 200. */
async function waitForOk(name: string, url: string, gone: AbortSignal): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  let last = 'no response';
  while (Date.now() < deadline) {
    gone.throwIfAborted();
    try {
      const answer = await fetch(url, { signal: AbortSignal.any([gone, AbortSignal.timeout(2_000)]) });
      await answer.body?.cancel();
      if (answer.status === 200) return;
      last = `status ${answer.status}`;
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    await sleep(40);
  }
  throw new StartError(`${name} was not ready within ${READY_TIMEOUT_MS / 1_000} s (${url}: ${last})`);
}
