/** The worker as a process of its own, for tests that kill it. */
import type { DeliveryWorld } from './delivery.ts';
import { readTemporalAddress } from './environment.ts';
import { prepareServer, type ServerProcess } from './server-process.ts';

export type WorkerProcess = ServerProcess;

/** For a world without a worker. Nothing is started yet. */
export function prepareWorker(
  { api }: DeliveryWorld,
  { temporal = readTemporalAddress(), env = {} }: { temporal?: string; env?: Record<string, string> } = {},
): WorkerProcess {
  return prepareServer({
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
}
