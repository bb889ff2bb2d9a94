/** Tests deliveries after a worker is killed or stopped during its calls. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { DestinationKey } from '../../../article/types.ts';
import { markdown, type TestAuthor } from '../../support/api/api.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import { prepareWorker, type WorkerProcess } from '../../support/delivery/worker-process.ts';
import { eventually } from '../../support/eventually.ts';

let world: DeliveryWorld;
let worker: WorkerProcess;
before(async () => {
  world = await startDeliveryWorld({ worker: false });
  worker = prepareWorker(world, { env: { DELIVERY_PACING: 'off', LATE_REQUEST_SECONDS: '1' } });
});
after(async () => {
  await worker.kill();
  await world.close();
});

interface Attempt {
  author: TestAuthor;
  id: string;
}

/** Publishes to one platform only, so that its request gets the fault. */
async function publishTo(title: string, platform: DestinationKey): Promise<Attempt> {
  const author = await world.api.createAuthor(title.toLowerCase().replaceAll(' ', '-'));
  await world.connect(author, platform);
  const crossPost = { blogsite_a: false, blogsite_b: false, [platform]: true };
  const content = markdown({ title, cross_post: crossPost });
  const { body } = await world.api.publish({ content }, { token: author.token });
  return { author, id: body.data?.id ?? '' };
}

async function countPosts(title: string): Promise<number> {
  return (await world.log(title)).filter(({ action }) => action === 'create').length;
}

async function listEvents({ author }: Attempt): Promise<string[]> {
  return (await world.notifications(author)).map(({ type }) => type);
}

describe('a worker killed during three calls', () => {
  let created: Attempt;
  let refused: Attempt;
  let unseen: Attempt;
  let restartedAt = 0;
  before(async () => {
    await worker.start();
    await world.faults([
      { platform: 'blogsite_a', action: 'create', times: 1, delayMs: 20_000 },
      { platform: 'blogsite_b', action: 'create', times: 1, delayMs: 20_000, drop: 'before' },
      { platform: 'blogsite_c', action: 'create', times: 1, delayMs: 20_000 },
    ]);
    created = await publishTo('Killed after create', 'blogsite_a');
    refused = await publishTo('Killed before create', 'blogsite_b');
    unseen = await publishTo('Killed at Medium', 'blogsite_c');
    await eventually('the moment to kill', async () => {
      const faults = (await (await fetch(`${world.sandboxUrl}/faults`)).json()) as { times: number }[];
      const posts = (await countPosts('Killed after create')) + (await countPosts('Killed at Medium'));
      return faults.every(({ times }) => times === 0) && posts === 2;
    });
    await worker.restart();
    restartedAt = Date.now();
  });

  test('after the create, before its answer: the post is adopted within 60 s of the restart, one event (F2)', async () => {
    await world.reaches(created.id, 'blogsite_a', 'delivered', 60_000);
    assert.ok(Date.now() - restartedAt < 60_000);
    assert.equal(await countPosts('Killed after create'), 1);
    assert.deepEqual(await listEvents(created), ['CROSS_POST_SUCCESS']);
  });

  test('before the create: the post is created once, one event (F1)', async () => {
    await world.reaches(refused.id, 'blogsite_b', 'delivered', 60_000);
    assert.equal(await countPosts('Killed before create'), 1);
    assert.deepEqual(await listEvents(refused), ['CROSS_POST_SUCCESS']);
  });

  test('after the create at a platform without a look-up: one post, unknown, and the author is notified (F3)', async () => {
    await world.reaches(unseen.id, 'blogsite_c', 'unknown', 60_000);
    assert.equal(await countPosts('Killed at Medium'), 1);
    assert.deepEqual(await listEvents(unseen), ['CROSS_POST_FAILED']);
  });
});

test('a worker that receives a stop signal exits in time with code 0 (F29)', async () => {
  assert.equal(await worker.stop(), 0);
});
