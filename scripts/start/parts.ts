/**
 * The five processes of a local Courant: how each is started, and when it is ready.
 */
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
 * The stop times (those of api and worker run in parallel) add up to less than ten seconds, the limit for a Ctrl-C. A kill loses nothing:
 * activities are retried, PostgreSQL and SQLite replay their logs.
 */

/** Deliveries run in the background: on a machine with few processors, requests that somebody waits for come first. */
export const BACKGROUND = 10;

/** Longest wait until a part is ready; a database that replays its log after a crash takes longest. */
const READY_TIMEOUT_MS = 60_000;
/** For one question whether a part still answers. */
const PROBE_TIMEOUT_MS = 8_000;

export function buildPostgresPart(cluster: Cluster, port: number): Part {
  const url = buildClusterUrl(cluster, { port, role: 'postgres', database: 'postgres' });
  return {
    name: 'postgres',
    command: buildPostgresCommand(cluster, { port, durable: true }),
    waitUntilReady: ({ gone }) => waitForPostgres(url, { timeoutMs: READY_TIMEOUT_MS, gone }),
    probe: (gone) => waitForPostgres(url, { timeoutMs: PROBE_TIMEOUT_MS, gone }),
    // PostgreSQL's "fast" shutdown: connections are closed, transactions rolled back, data flushed.
    stopSignal: 'SIGINT',
    patienceMs: 2_300,
  };
}

export function buildTemporalPart(program: string, settings: StartSettings): Part {
  const { home, temporalPort: port, temporalUiPort: uiPort } = settings;
  return {
    name: 'temporal',
    command: {
      ...buildTemporalCommand({ program, port, uiPort, stateFile: join(home, 'temporal.db'), folder: home }),
      niceness: BACKGROUND,
    },
    waitUntilReady: ({ gone }) => waitForTemporal(`127.0.0.1:${port}`, { timeoutMs: READY_TIMEOUT_MS, gone }),
    probe: (gone) => waitForTemporal(`127.0.0.1:${port}`, { timeoutMs: PROBE_TIMEOUT_MS, gone }),
    stopSignal: 'SIGTERM',
    patienceMs: 1_500,
  };
}

/** Programs of our own, and what they run with. */
export interface Programs {
  /** The file that is run for a source; both relative to `root`. */
  find: (source: string) => string;
  env: NodeJS.ProcessEnv;
  root: string;
}

export function buildSandboxPart(settings: StartSettings, programs: Programs): Part {
  return {
    ...buildNodePart('sandbox', 700, 'sandbox/main.ts', programs),
    waitUntilReady: ({ gone }) => waitForAnswer('sandbox', `http://127.0.0.1:${settings.sandboxPort}/log`, gone),
    probe: (signal) => probeAnswer(`http://127.0.0.1:${settings.sandboxPort}/`, signal),
  };
}

export function buildApiPart(settings: StartSettings, programs: Programs): Part {
  return {
    ...buildNodePart('api', 4_500, 'api/main.ts', programs),
    waitUntilReady: ({ gone }) => waitForAnswer('api', `${settings.localApiUrl}/health/ready`, gone),
    // Not whether it is ready: without its database it would be restarted for nothing.
    probe: (signal) => probeAnswer(`${settings.localApiUrl}/health/live`, signal),
  };
}

export function buildWorkerPart(settings: StartSettings, programs: Programs): Part {
  // Less than the worker's own grace: whoever stops everything does not wait for a slow destination. What is cut is looked up at the next start.
  // A worker that is stopped alone (a deploy) is not stopped from here and finishes its calls.
  const aliveFile = join(settings.home, 'worker-alive');
  const worker = buildNodePart('worker', 4_500, 'worker/main.ts', {
    ...programs,
    env: { ...programs.env, ALIVE_FILE: aliveFile },
  });
  return {
    ...worker,
    command: { ...worker.command, niceness: BACKGROUND },
    // It has no address to ask.
    waitUntilReady: ({ sawLine }) => sawLine('worker ready'),
    probe: () => probeFile(aliveFile),
  };
}

async function probeAnswer(url: string, signal: AbortSignal): Promise<void> {
  await (await fetch(url, { signal })).body?.cancel();
}

/** Written by the part every few seconds. */
async function probeFile(file: string): Promise<void> {
  const { mtimeMs } = await stat(file);
  if (Date.now() - mtimeMs > PROBE_TIMEOUT_MS) throw new Error(`${file} is old`);
}

/** The environment of api, worker, sandbox and migrations: our own, with what this start decided. */
export function buildPartEnvironment(
  settings: StartSettings,
  decided: { databaseUrl: string; temporalAddress: string },
  own: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  return {
    // The sandbox is on the loopback interface, where destinations are otherwise refused; nothing else there is opened.
    ALLOW_PRIVATE_DESTINATIONS: ['127.0.0.1', 'localhost'].map((host) => `${host}:${settings.sandboxPort}`).join(','),
    // Whoever starts all of this is an operator too: the desk links each delivery to its workflow.
    ...(settings.temporalAddress === null && {
      TEMPORAL_UI_URL: `http://localhost:${settings.temporalUiPort}/namespaces/default`,
    }),
    ...own,
    DATABASE_URL: decided.databaseUrl,
    TEMPORAL_ADDRESS: decided.temporalAddress,
    PORT: String(settings.port),
    BASE_URL: settings.baseUrl,
    API_URL: settings.apiUrl,
    COURANT_HOME: settings.home,
    SANDBOX_PORT: String(settings.sandboxPort),
    SANDBOX_STATE: join(settings.home, 'sandbox.json'),
    // glibc gives each of a process' threads, of which there are some fifteen, memory of its own to keep: 13 MB in the worker. Others do not read this.
    MALLOC_ARENA_MAX: own.MALLOC_ARENA_MAX ?? '2',
    // The compile cache survives restarts: the types are stripped once, and a second start is a second faster.
    NODE_COMPILE_CACHE: own.NODE_COMPILE_CACHE ?? join(settings.home, 'cache', 'node'),
  };
}

/**
 * How far the young generation grows, in MiB. V8's default suits a server that runs alone and costs some 50 MB per process. The API has more
 * than the others: under load, collecting it more often took a quarter of its CPU time.
 */
const YOUNG_GENERATION_MIB = { api: 8, other: 2 };

function buildNodePart(
  name: string,
  patienceMs: number,
  source: string,
  { find, env, root }: Programs,
): Omit<Part, 'waitUntilReady' | 'probe'> {
  const mib = name === 'api' ? YOUNG_GENERATION_MIB.api : YOUNG_GENERATION_MIB.other;
  return {
    name,
    command: { file: process.execPath, args: [`--max-semi-space-size=${mib}`, find(source)], env, cwd: root },
    stopSignal: 'SIGTERM',
    patienceMs,
  };
}

/** Waits for a 200. */
async function waitForAnswer(name: string, url: string, gone: AbortSignal): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  let last = 'no answer';
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
  throw new StartError(`${name} did not get ready in ${READY_TIMEOUT_MS / 1_000} s (${url}: ${last})`);
}
