/** What becomes of a delivery whose worker is killed in the middle of a call: the workers are processes of their own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type DeliveryWorld, startDeliveryWorld } from '../../test/support/delivery.ts';
import { temporalAddress } from '../../test/support/environment.ts';
import { eventually } from '../../test/support/eventually.ts';
import { beginStory, faultsBegun, type Misfortune, publishStory, type Scenario, type Stage } from './story.ts';

/** Longer than a worker lives that is killed at once. */
const SLOW_MS = 10_000;

export function lostWorkerStage(): Stage {
  let world: DeliveryWorld | null = null;
  let worker: ChildProcess | null = null;
  const start = async (): Promise<DeliveryWorld> => {
    world ??= await startDeliveryWorld({ worker: false });
    worker ??= await startWorker(world);
    return world;
  };
  const kill = async (): Promise<void> => {
    const killed = worker;
    worker = null;
    if (!killed?.kill('SIGKILL')) return;
    await once(killed, 'exit');
  };
  /** Killed in the middle of the last of these. */
  const lost = (name: string, ...misfortunes: Misfortune[]): Scenario => ({
    name,
    async play() {
      const living = await start();
      const story = await publishStory(living, await beginStory(living, 'blogsite_a', ...misfortunes));
      await faultsBegun(living);
      await kill();
      await start();
      await story.reaches('delivered');
      return story.deliveryEnds();
    },
  });

  return {
    scenarios: [
      lost('delivery-worker-lost', { delayMs: SLOW_MS }),
      lost('delivery-worker-lost-at-look-up', { drop: 'after' }, { action: 'find', delayMs: SLOW_MS }),
      lost('delivery-worker-lost-at-probe', { status: 401 }, { action: 'probe', delayMs: SLOW_MS }),
    ],
    client: async () => (await start()).client,
    async close() {
      await kill();
      await world?.close();
    },
  };
}

async function startWorker({ api }: DeliveryWorld): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['worker/main.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: api.databaseUrl,
      TEMPORAL_ADDRESS: temporalAddress(),
      TEMPORAL_TASK_QUEUE: api.taskQueue,
      COURANT_HOME: api.home,
      BASE_URL: `http://localhost:${new URL(api.url).port}`,
      ALLOW_PRIVATE_DESTINATIONS: 'true',
      DELIVERY_PACING: 'off',
    },
  });
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  await eventually('the worker to be ready', async () => output.includes('worker ready'), { withinMs: 30_000 });
  return child;
}
