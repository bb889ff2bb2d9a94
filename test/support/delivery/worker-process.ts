/** Runs the worker as a process, for tests that kill it. */
import { existsSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readTemporalAddress } from '../environment.ts';
import { prepareServer, type ServerProcess } from '../server-process.ts';
import { buildTestBundle } from '../workflow-bundle.ts';
import type { DeliveryWorld } from './delivery.ts';

export type WorkerProcess = ServerProcess;

export interface WorkerProcessOptions {
  temporal?: string;
  env?: Record<string, string>;
  /** The folder of its code; by default this repository. */
  root?: string;
}

/** Prepares a worker for a world without one. Does not start it. */
export function prepareWorker(
  { api }: DeliveryWorld,
  { temporal = readTemporalAddress(), env = {}, ...code }: WorkerProcessOptions = {},
): WorkerProcess {
  const server = prepareServer({
    ...code,
    args: ['--max-semi-space-size=2', 'worker/main.ts'],
    env: {
      DATABASE_URL: api.databaseUrl,
      TEMPORAL_ADDRESS: temporal,
      TEMPORAL_TASK_QUEUE: api.taskQueue,
      COURANT_HOME: api.home,
      BASE_URL: `http://localhost:${new URL(api.url).port}`,
      ALLOW_PRIVATE_DESTINATIONS: 'true',
      ...env,
    },
    isReady: (output) => output.includes('worker ready'),
  });
  return {
    ...server,
    async start() {
      if (code.root === undefined) await copyBundle(join(api.home, 'cache'));
      await server.start();
    },
  };
}

/** Copies the workflow bundle of the tests, because building it takes longer than a test. */
async function copyBundle(folder: string): Promise<void> {
  const built = await buildTestBundle();
  const path = join(folder, basename(built));
  if (existsSync(path)) return;
  await mkdir(folder, { recursive: true });
  await copyFile(built, path);
}
