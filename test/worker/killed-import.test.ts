/** An import whose worker is killed in the middle goes on where it was: every post is an article once, and the counts are right. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { type DeliveryWorld, startDeliveryWorld } from '../support/delivery.ts';
import { eventually } from '../support/eventually.ts';
import { ask } from '../support/graphql.ts';
import { prepareWorker, type WorkerProcess } from '../support/worker-process.ts';

const POSTS = 300;
const KILLS = 3;

let world: DeliveryWorld;
let worker: WorkerProcess;
const source = createServer((_request, response) => {
  const items = Array.from(
    { length: POSTS },
    (_, n) =>
      `<item><title>Post ${n}</title><guid>${n}</guid><link>https://blog.example/p${n}</link><description>Text ${n}</description></item>`,
  );
  response.end(`<rss version="2.0"><channel><title>A blog</title>${items.join('')}</channel></rss>`);
});
before(async () => {
  world = await startDeliveryWorld({ worker: false, api: { env: { ALLOW_PRIVATE_DESTINATIONS: 'true' } } });
  worker = prepareWorker(world);
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
});
after(async () => {
  await worker.kill();
  source.close();
  await world.close();
});

test('a worker killed three times in the middle of an import doubles nothing and loses nothing', async () => {
  const { author, db } = world.api;
  const { port } = source.address() as AddressInfo;
  await worker.start();
  const order = `mutation { importArticles(source: RSS, identifier: "http://127.0.0.1:${port}/") { id } }`;
  const answer = await ask(world.api, author.id, order);
  const id = answer.data.importArticles.id as string;
  const read = async () => {
    const query = `{ import(id: "${id}") { state counts { listed created present refused waiting } } }`;
    return (await ask(world.api, author.id, query)).data.import;
  };
  for (let n = 1; n <= KILLS; n++) {
    await eventually('some more', async () => (await read()).counts.created >= n * 20, { withinMs: 60_000 });
    await worker.restart();
  }
  const end = await eventually(
    'the end',
    async () => {
      const report = await read();
      return report.state === 'RUNNING' ? null : report;
    },
    { withinMs: 120_000 },
  );
  assert.deepEqual(end, {
    state: 'DONE',
    counts: { listed: POSTS, created: POSTS, present: 0, refused: 0, waiting: 0 },
  });
  const { count } = await db
    .selectFrom('articles')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('authorId', '=', author.id)
    .executeTakeFirstOrThrow();
  assert.equal(Number(count), POSTS);
});
