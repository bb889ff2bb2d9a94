/**
 * Tests that an import continues after its worker is killed: one article per post, correct counts.
 */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makePng } from '../store/images/files/pictures.ts';
import { runGraphql } from '../support/api/graphql.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../support/delivery/delivery.ts';
import { prepareWorker, type WorkerProcess } from '../support/delivery/worker-process.ts';
import { eventually } from '../support/eventually.ts';

const POSTS = 180;
const KILLS = 3;

let world: DeliveryWorld;
let worker: WorkerProcess;
const PICTURES = 10;
const source = createServer((request, response) => {
  const picture = /^\/(\d+)\.png$/.exec(request.url ?? '')?.[1];
  if (picture !== undefined) return response.end(makePng(picture));
  const items = Array.from(
    { length: POSTS },
    (_, n) =>
      `<item><title>Post ${n}</title><guid>${n}</guid><link>http://${request.headers.host}/p${n}</link><description>Text ${n} &lt;img src="/${n % PICTURES}.png"&gt;</description></item>`,
  );
  return response.end(`<rss version="2.0"><channel><title>A blog</title>${items.join('')}</channel></rss>`);
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

test('an import with a worker that is killed three times has each post exactly once', async () => {
  const { author, db } = world.api;
  const { port } = source.address() as AddressInfo;
  await worker.start();
  const order = `mutation { importArticles(source: RSS, identifier: "http://127.0.0.1:${port}/", images: COPY) { id } }`;
  const answer = await runGraphql(world.api, author.id, order);
  const id = answer.data.importArticles.id as string;
  const read = async () => {
    const query = `{ import(id: "${id}") { state counts { listed created present refused waiting } } }`;
    return (await runGraphql(world.api, author.id, query)).data.import;
  };
  for (let n = 1; n <= KILLS; n++) {
    await eventually('some more', async () => (await read()).counts.created >= n * 20, { withinMs: 240_000 });
    await worker.restart();
  }
  const end = await eventually(
    'the end',
    async () => {
      const report = await read();
      return report.state === 'RUNNING' ? null : report;
    },
    { withinMs: 400_000 },
  );
  assert.deepEqual(end, {
    state: 'DONE',
    counts: { listed: POSTS, created: POSTS, present: 0, refused: 0, waiting: 0 },
  });
  const articles = await db.selectFrom('articles').select('body').where('authorId', '=', author.id).execute();
  assert.equal(articles.length, POSTS);
  assert.ok(articles.every(({ body }) => /\/images\/[0-9a-f]{64}\.png/.test(body)));
  const names = await readdir(join(world.api.home, 'images'), { recursive: true });
  assert.equal(names.filter((name) => name.endsWith('.png')).length, PICTURES);
});
