/**
 * The five processes of a local Courant: what each is started with and how one sees that it is ready.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './postgres/cluster.ts';
import { clusterUrl, postgresCommand, waitForPostgres } from './postgres/server.ts';
import type { Part } from './processes/supervise.ts';
import type { StartSettings } from './settings.ts';
import { StartError } from './start-error.ts';
import { temporalCommand, waitForTemporal } from './temporal/server.ts';

/*
 * The patience of all (api and worker end side by side) adds up to less than ten seconds, the time in which a Ctrl-C must
 * be done. Nothing is lost by a kill: activities are retried, PostgreSQL and SQLite replay their logs.
 */

/** Delivery works in the background: on a machine with few processors it gives way to whoever waits for an answer. */
export const BACKGROUND = 10;

/** Longest wait for a part's first readiness; a database that replays its log after a crash takes the most. */
const READY_TIMEOUT_MS = 60_000;

export function postgresPart(cluster: Cluster, port: number): Part {
  const url = clusterUrl(cluster, { port, role: 'postgres', database: 'postgres' });
  return {
    name: 'postgres',
    command: postgresCommand(cluster, { port, durable: true }),
    waitUntilReady: ({ gone }) => waitForPostgres(url, { timeoutMs: READY_TIMEOUT_MS, gone }),
    // "Fast": connections are cut, transactions rolled back, data flushed.
    stopSignal: 'SIGINT',
    patienceMs: 2_300,
  };
}

export function temporalPart(program: string, settings: StartSettings): Part {
  const { home, temporalPort: port, temporalUiPort: uiPort } = settings;
  return {
    name: 'temporal',
    command: {
      ...temporalCommand({ program, port, uiPort, stateFile: join(home, 'temporal.db'), folder: home }),
      niceness: BACKGROUND,
    },
    waitUntilReady: ({ gone }) => waitForTemporal(`127.0.0.1:${port}`, { timeoutMs: READY_TIMEOUT_MS, gone }),
    stopSignal: 'SIGTERM',
    patienceMs: 1_500,
  };
}

export function sandboxPart(settings: StartSettings, env: NodeJS.ProcessEnv, root: string): Part {
  return {
    ...nodePart('sandbox', 700, 'sandbox/main.ts', env, root),
    waitUntilReady: ({ gone }) => waitForAnswer('sandbox', `http://127.0.0.1:${settings.sandboxPort}/log`, gone),
  };
}

export function apiPart(settings: StartSettings, env: NodeJS.ProcessEnv, root: string): Part {
  return {
    ...nodePart('api', 4_500, 'api/main.ts', env, root),
    waitUntilReady: ({ gone }) => waitForAnswer('api', `${settings.localApiUrl}/health/ready`, gone),
  };
}

export function workerPart(env: NodeJS.ProcessEnv, root: string): Part {
  const worker = nodePart('worker', 4_500, 'worker/main.ts', env, root);
  return {
    ...worker,
    command: { ...worker.command, niceness: BACKGROUND },
    // It serves nothing that could be asked.
    waitUntilReady: ({ sawLine }) => sawLine('worker ready'),
  };
}

/** What api, worker, sandbox and migrations find in their environment: ours, with what this start decided. */
export function partEnvironment(
  settings: StartSettings,
  decided: { databaseUrl: string; temporalAddress: string },
  own: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  return {
    // The sandbox is on the loopback interface, where destinations are refused otherwise.
    ALLOW_PRIVATE_DESTINATIONS: 'true',
    ...own,
    DATABASE_URL: decided.databaseUrl,
    TEMPORAL_ADDRESS: decided.temporalAddress,
    PORT: String(settings.port),
    BASE_URL: settings.baseUrl,
    API_URL: settings.apiUrl,
    COURANT_HOME: settings.home,
    SANDBOX_PORT: String(settings.sandboxPort),
    SANDBOX_STATE: join(settings.home, 'sandbox.json'),
    // Compiled code is kept over starts: the types are stripped once, and a second start is a second faster.
    NODE_COMPILE_CACHE: own.NODE_COMPILE_CACHE ?? join(settings.home, 'cache', 'node'),
  };
}

/** Room for young objects, in MiB. V8's own choice suits a server with nothing beside it and costs some 50 MB a process. */
const SMALL_HEAP = ['--max-semi-space-size=2'];

function nodePart(
  name: string,
  patienceMs: number,
  script: string,
  env: NodeJS.ProcessEnv,
  root: string,
): Omit<Part, 'waitUntilReady'> {
  return {
    name,
    command: { file: process.execPath, args: [...SMALL_HEAP, script], env, cwd: root },
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
