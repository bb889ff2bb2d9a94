/**
 * Scenarios of a worker that is killed during a call. The workers are processes, so that they can
 * be killed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { recordAnswer } from '../../../store/attempts/record-answer.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import { waitForFaults } from '../../support/delivery/publishing.ts';
import { readTemporalAddress } from '../../support/environment.ts';
import { eventually } from '../../support/eventually.ts';
import {
  type IsolatedScenarios,
  type PublishedStory,
  prepareStory,
  publishStory,
  type Scenario,
  type StoryFault,
} from './story.ts';

/** Longer than it takes to kill the worker. */
const SLOW_MS = 10_000;

export function createLostWorkerScenarios(): IsolatedScenarios {
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
  /** The worker is killed during the last of these faults. */
  const createLost = (name: string, ...faults: StoryFault[]): Scenario => ({
    name,
    async play() {
      const running = await start();
      const story = await publishStory(running, await prepareStory(running, 'blogsite_a', ...faults));
      await waitForFaults(running);
      await kill();
      await start();
      await story.waitForState('delivered');
      return story.waitForDeliveryEnd();
    },
  });

  /** The row contains the response of the destination, but the workflow did not receive it. */
  const resolved: Scenario = {
    name: 'delivery-resolved',
    async play() {
      const running = await start();
      const story = await publishStory(running, await prepareStory(running, 'blogsite_a', { delayMs: SLOW_MS }));
      await waitForFaults(running);
      await kill();
      const { db } = running.api;
      const created = (await running.log(story.title))[0];
      const remote = { remoteId: created?.remoteId ?? '', url: `${running.sandboxUrl}/posts/1`, changedAt: null };
      await recordAnswer(db, await readOpenAttempt(running, story), { kind: 'done', remote });
      await start();
      await story.waitForState('delivered');
      return story.waitForDeliveryEnd();
    },
  };

  return {
    scenarios: [
      resolved,
      createLost('delivery-worker-lost', { delayMs: SLOW_MS }),
      createLost('delivery-worker-lost-at-look-up', { drop: 'after' }, { action: 'find', delayMs: SLOW_MS }),
      createLost('delivery-worker-lost-at-probe', { status: 401 }, { action: 'probe', delayMs: SLOW_MS }),
    ],
    client: async () => (await start()).client,
    async close() {
      await kill();
      await world?.close();
    },
  };
}

/** Reads the open attempt with the fields of the activity that sent it. */
async function readOpenAttempt({ api: { db } }: DeliveryWorld, { id, destination }: PublishedStory) {
  const row = await db
    .selectFrom('deliveryStates')
    .select(['deliveryId', 'openId', 'version', 'dispatch', 'connectionId', 'connectionVersion'])
    .where('articleId', '=', id)
    .where('destination', '=', destination)
    .executeTakeFirstOrThrow();
  const { deliveryId, openId, version, connectionVersion } = row;
  if (!deliveryId || !openId) throw new Error('There is no open attempt.');
  return { ...row, deliveryId, attemptId: openId, version: version ?? 0, connectionVersion: connectionVersion ?? 0 };
}

async function startWorker({ api }: DeliveryWorld): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['worker/main.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: api.databaseUrl,
      TEMPORAL_ADDRESS: readTemporalAddress(),
      TEMPORAL_TASK_QUEUE: api.taskQueue,
      COURANT_HOME: api.home,
      BASE_URL: `http://localhost:${new URL(api.url).port}`,
      ALLOW_PRIVATE_DESTINATIONS: 'true',
      DELIVERY_PACING: 'off',
      LATE_REQUEST_SECONDS: '1',
    },
  });
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  await eventually('the worker to be ready', async () => output.includes('worker ready'), { withinMs: 30_000 });
  return child;
}
