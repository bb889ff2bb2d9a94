/**
 * Imports IMPORT_POSTS (200) large posts with pictures from an archive of a hundred pages. The API
 * is killed after it accepts the import, then API and worker are killed repeatedly. The maximum of
 * an import, 5,000 posts, takes half an hour.
 */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { countItems } from '../../../store/imports/progress.ts';
import { type ApiProcess, prepareApi } from '../../api/support/api-process.ts';
import { makePng } from '../../store/images/files/pictures.ts';
import { runGraphql } from '../../support/api/graphql.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import { prepareWorker, type WorkerProcess } from '../../support/delivery/worker-process.ts';
import { readTemporalAddress } from '../../support/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { writeFeed, writeItem } from '../../workflows/support/import-world.ts';

const POSTS = Number(process.env.IMPORT_POSTS ?? 200);
const PAGES = 100;
const PICTURES = 10;
const PARAGRAPH = `<p>${'Some words of a post that has many of them. '.repeat(20)}</p>`;
/** 5,000 of these are just below the import limit of 64 MiB, which would end the import early. */
const BODY = PARAGRAPH.repeat(14);
/** API and worker are killed after these fractions of the posts. */
const KILL_FRACTIONS = [0.05, 0.4, 0.75];
const WITHIN_MS = 30 * 60_000;
/** Histories contain only ids and numbers, and a run continues as new when Temporal suggests it. */
const MAX_HISTORY_EVENTS = 5_000;

let world: DeliveryWorld;
let api: ApiProcess;
let worker: WorkerProcess;
let blog: Server;
let blogUrl: string;
before(async () => {
  world = await startDeliveryWorld({ worker: false });
  // Stops the API of this process, because its dispatcher would start the import as well.
  await world.api.app.close();
  const env = { ALLOW_PRIVATE_DESTINATIONS: 'true' };
  api = await prepareApi({ like: world.api, temporal: readTemporalAddress(), env });
  worker = prepareWorker(world, { env });
  blog = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://blog');
    const picture = /^\/(\d+)\.png$/.exec(pathname)?.[1];
    if (picture !== undefined) return response.end(makePng(picture));
    const page = Number(searchParams.get('page') ?? 1);
    return response.writeHead(200, { 'content-type': 'application/rss+xml' }).end(writePage(page));
  });
  await new Promise<void>((resolve) => blog.listen(0, '127.0.0.1', resolve));
  blogUrl = `http://127.0.0.1:${(blog.address() as AddressInfo).port}/feed.xml`;
  await Promise.all([api.start(), worker.start()]);
});
after(async () => {
  await Promise.all([api?.kill(), worker?.kill()]);
  blog?.close().closeAllConnections();
  await world?.close();
});

test('an import whose API and worker are killed has every post once, and a second import adds none', async () => {
  const { author, db } = world.api;
  const id = await startImport();
  await api.restart();
  for (const fraction of KILL_FRACTIONS) {
    await eventually(`${fraction} of the posts`, async () => (await countItems(db, id)).done >= fraction * POSTS, {
      withinMs: WITHIN_MS,
    });
    await Promise.all([api.restart(), worker.restart()]);
  }
  assert.deepEqual(await waitForEnd(id), { listed: POSTS, created: POSTS, present: 0, refused: 0, waiting: 0 });
  const articles = () =>
    db
      .selectFrom('articles')
      .select(({ fn }) => [fn.countAll<number>().as('all'), fn.count<number>('title').distinct().as('titles')])
      .where('authorId', '=', author.id)
      .executeTakeFirstOrThrow();
  assert.deepEqual(await articles(), { all: POSTS, titles: POSTS });
  const bodies = await db.selectFrom('articles').select('body').where('authorId', '=', author.id).execute();
  assert.ok(bodies.every(({ body }) => /\/images\/[0-9a-f]{64}\.png/.test(body)));
  const names = await readdir(join(world.api.home, 'images'), { recursive: true });
  assert.equal(names.filter((name) => name.endsWith('.png')).length, PICTURES);
  const { historyLength } = await world.client.workflow.getHandle(`import/${id}`).describe();
  assert.ok(historyLength < MAX_HISTORY_EVENTS, `${historyLength} events`);

  const again = await startImport();
  assert.deepEqual(await waitForEnd(again), { listed: POSTS, created: 0, present: POSTS, refused: 0, waiting: 0 });
  assert.deepEqual(await articles(), { all: POSTS, titles: POSTS });
});

async function startImport(): Promise<string> {
  const { data, text } = await queryApi(
    `mutation { importArticles(source: RSS, identifier: "${blogUrl}", images: COPY) { id } }`,
  );
  assert.ok(data?.importArticles, text);
  return data.importArticles.id;
}

/** Waits for the state that the API reports. */
async function waitForEnd(id: string): Promise<Record<string, number>> {
  const query = `{ import(id: "${id}") { state reason counts { listed created present refused waiting } } }`;
  const report = await eventually(
    'the import to end',
    async () => {
      const { data } = await queryApi(query);
      return data.import.state === 'RUNNING' ? null : data.import;
    },
    { withinMs: WITHIN_MS },
  );
  assert.equal(report.reason, null);
  return report.counts;
}

function queryApi(query: string) {
  return runGraphql({ ...world.api, url: api.url }, world.api.author.id, query);
}

/** Returns a page of the feed, newest posts first. */
function writePage(page: number): string {
  const size = Math.ceil(POSTS / PAGES);
  const newest = POSTS - (page - 1) * size;
  const numbers = Array.from({ length: Math.max(0, Math.min(size, newest)) }, (_, index) => newest - index);
  const items = numbers
    .map((number) =>
      writeItem(number).replace(
        ']]>',
        `${BODY}<img src="${blogUrl.replace('feed.xml', `${number % PICTURES}.png`)}">]]>`,
      ),
    )
    .join('');
  const next = newest > size ? `<atom:link rel="next" href="/feed.xml?page=${page + 1}"/>` : '';
  return writeFeed(items, next);
}
