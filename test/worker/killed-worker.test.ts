import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { markdown } from '../support/api.ts';
import { type DeliveryWorld, type Fault, startDeliveryWorld } from '../support/delivery.ts';
import { readTemporalAddress } from '../support/environment.ts';
import { eventually } from '../support/eventually.ts';

let world: DeliveryWorld;
let worker: ChildProcess | undefined;
before(async () => {
  world = await startDeliveryWorld({ worker: false });
});
after(async () => {
  await kill();
  await world.close();
});

async function startWorker(): Promise<void> {
  const child = spawn(process.execPath, ['worker/main.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: world.api.databaseUrl,
      TEMPORAL_ADDRESS: readTemporalAddress(),
      TEMPORAL_TASK_QUEUE: world.api.taskQueue,
      COURANT_HOME: world.api.home,
      BASE_URL: `http://localhost:${new URL(world.api.url).port}`,
      ALLOW_PRIVATE_DESTINATIONS: 'true',
      DELIVERY_PACING: 'off',
      LATE_REQUEST_SECONDS: '1',
    },
  });
  worker = child;
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  await eventually('the worker to be ready', async () => output.includes('worker ready'), { withinMs: 30_000 });
}

async function kill(): Promise<void> {
  if (!worker || worker.exitCode !== null || worker.signalCode !== null) return;
  worker.kill('SIGKILL');
  await once(worker, 'exit');
}

async function killInTheMiddle(title: string, fault: Fault, isTheMoment: (title: string) => Promise<boolean>) {
  const author = await world.api.createAuthor(title.toLowerCase().replaceAll(' ', '-'));
  await world.connect(author, fault.platform as 'blogsite_a');
  await world.faults([fault]);
  const answer = await world.api.publish({ content: markdown({ title }) }, { token: author.token });
  const id = answer.body.data?.id ?? '';
  await eventually('the moment to kill', () => isTheMoment(title));
  await kill();
  await startWorker();
  const restarted = Date.now();
  await world.reaches(id, fault.platform, 'delivered', 60_000);
  const log = await world.log(title);
  assert.equal(log.filter(({ action }) => action === 'create').length, 1, 'exactly one remote post');
  const events = await world.notifications(author);
  assert.deepEqual(
    events.map(({ type }) => type),
    ['CROSS_POST_SUCCESS'],
    'exactly one event',
  );
  return Date.now() - restarted;
}

/** The sandbox has received the request, which used up the fault. */
const requestArrived = async () => {
  const left = (await (await fetch(`${world.sandboxUrl}/faults`)).json()) as { times: number }[];
  return left.every(({ times }) => times === 0);
};

test('a worker killed after the remote create and before its answer: the post is adopted within 60 s of the restart, 1/1 (F2)', async () => {
  await startWorker();
  const fault: Fault = { platform: 'blogsite_a', action: 'create', times: 1, delayMs: 20_000 };
  const took = await killInTheMiddle(
    'Killed after create',
    fault,
    async (title) => (await world.log(title)).length === 1,
  );
  assert.ok(took < 60_000);
});

test('a worker killed before anything is created: the post is created once, 1/1 (F1)', async () => {
  const fault: Fault = { platform: 'blogsite_a', action: 'create', times: 1, delayMs: 10_000, drop: 'before' };
  await killInTheMiddle('Killed before create', fault, requestArrived);
});

test('a worker killed after the create at a platform without a look-up: one post, unknown, and the author is notified (F3)', async () => {
  const title = 'Killed at Medium';
  const author = await world.api.createAuthor('killed-at-medium');
  await world.connect(author, 'blogsite_c');
  await world.faults([{ platform: 'blogsite_c', action: 'create', times: 1, delayMs: 20_000 }]);
  const content = markdown({ title, cross_post: { blogsite_a: false, blogsite_b: false, blogsite_c: true } });
  const { body } = await world.api.publish({ content }, { token: author.token });
  const id = body.data?.id ?? '';
  await eventually('the moment to kill', async () => (await world.log(title)).length === 1);
  await kill();
  await startWorker();
  await world.reaches(id, 'blogsite_c', 'unknown', 60_000);
  assert.equal((await world.log(title)).length, 1);
  assert.deepEqual(
    (await world.notifications(author)).map(({ type }) => type),
    ['CROSS_POST_FAILED'],
  );
});

test('a worker that is asked to stop ends in time and leaves nothing behind (F29)', async () => {
  assert.ok(worker);
  worker.kill('SIGTERM');
  const [code] = (await once(worker, 'exit')) as [number | null];
  assert.equal(code, 0);
});
