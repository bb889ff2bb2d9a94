/** The worker as a process of its own, for tests that kill it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeliveryWorld } from './delivery.ts';
import { readTemporalAddress } from './environment.ts';
import { eventually } from './eventually.ts';

export interface WorkerProcess {
  /** Resolves once it polls; it must not be running. */
  start(): Promise<void>;
  /** Does nothing where none is running. */
  kill(): Promise<void>;
  /** As `kill`, and then `start`. */
  restart(): Promise<void>;
  /** Asks it to stop; its exit code, null where a signal ended it. */
  stop(): Promise<number | null>;
}

export interface WorkerProcessOptions {
  temporal?: string;
  env?: Record<string, string>;
  /** Where its code is, if it is another release. */
  root?: string;
}

/** For a world without a worker. Nothing is started yet. */
export function prepareWorker(
  { api }: DeliveryWorld,
  { temporal = readTemporalAddress(), env = {}, root }: WorkerProcessOptions = {},
): WorkerProcess {
  let child: ChildProcess | undefined;
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const exited = once(child, 'exit') as Promise<[number | null]>;
    child.kill(signal);
    const [code] = await exited;
    return code;
  };
  const worker: WorkerProcess = {
    async start() {
      await shareBundles(api.home);
      const started = spawn(process.execPath, ['worker/main.ts'], {
        stdio: ['ignore', 'pipe', 'inherit'],
        cwd: root,
        env: {
          ...process.env,
          DATABASE_URL: api.databaseUrl,
          TEMPORAL_ADDRESS: temporal,
          TEMPORAL_TASK_QUEUE: api.taskQueue,
          COURANT_HOME: api.home,
          BASE_URL: `http://localhost:${new URL(api.url).port}`,
          ALLOW_PRIVATE_DESTINATIONS: 'true',
          ...env,
        },
      });
      child = started;
      let output = '';
      started.stdout?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
      await eventually('the worker to be ready', async () => output.includes('worker ready'), { withinMs: 180_000 });
    },
    kill: async () => void (await end('SIGKILL')),
    async restart() {
      await worker.kill();
      await worker.start();
    },
    stop: () => end('SIGTERM'),
  };
  return worker;
}

/** Bundling the workflows takes several seconds of processor time: once is enough for all tests. */
async function shareBundles(home: string): Promise<void> {
  const shared = join(tmpdir(), 'courant-test-bundles');
  await mkdir(shared, { recursive: true });
  await symlink(shared, join(home, 'cache')).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}
