/**
 * The release before the newest migration runs on the new schema beside the new release. Nothing is
 * lost or doubled.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { type ApiProcess, startApiProcess } from '../api/support/api-process.ts';
import { markdown, type TestAuthor } from '../support/api/api.ts';
import { openStream } from '../support/api/event-stream.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../support/delivery/delivery.ts';
import { createConnectedAuthor } from '../support/delivery/publishing.ts';
import { prepareWorker, type WorkerProcess } from '../support/delivery/worker-process.ts';
import { readTemporalAddress } from '../support/environment.ts';
import { eventually } from '../support/eventually.ts';
import { checkOut, type FormerRelease, findFormerCommit } from './support/former-release.ts';
import { publishPatiently } from './support/publish.ts';

const commit = findFormerCommit();
const skip = commit ? false : 'there is no second migration, or no history of the repository';
const ARTICLES = 12;

let world: DeliveryWorld;
let former: FormerRelease;
let apis: [former: ApiProcess, present: ApiProcess];
let workers: [former: WorkerProcess, present: WorkerProcess];
let author: TestAuthor;
before(async () => {
  if (commit === null) return;
  former = checkOut(commit);
  world = await startDeliveryWorld({ worker: false });
  await world.api.app.close();
  const options = { like: world.api, temporal: readTemporalAddress() };
  apis = [await startApiProcess({ ...options, root: former.root }), await startApiProcess(options)];
  const env = { DELIVERY_PACING: 'off' };
  workers = [prepareWorker(world, { root: former.root, env }), prepareWorker(world, { env })];
  for (const worker of workers) await worker.start();
  author = await createConnectedAuthor(world, 'blogsite_b');
});
after(async () => {
  if (skip) return;
  await Promise.all([...apis.map((api) => api.kill()), ...workers.map((worker) => worker.kill())]);
  await world.close();
  former.remove();
});

const cross_post = { blogsite_a: false, blogsite_b: true };
async function publish(api: ApiProcess, title: string, body?: string): Promise<string> {
  const answer = await publishPatiently(api.url, author.token, markdown({ title, cross_post }, body));
  assert.ok(answer.body.data, JSON.stringify(answer.body));
  return answer.body.data.id;
}

test('articles published and changed through both releases are delivered once, and every event reaches streams of both', {
  skip,
}, async () => {
  const token = await world.api.sessions.issue('courant:stream', author.id);
  const streams = await Promise.all(apis.map(({ url }) => openStream(url, token)));
  const titles = Array.from({ length: ARTICLES }, (_, n) => `Both ${n}`);
  const api = (n: number) => apis[n % 2] as ApiProcess;
  const ids = await Promise.all(titles.map((title, n) => publish(api(n), title)));
  for (const stream of streams) {
    const events = await stream.count(ARTICLES, 180_000);
    assert.deepEqual(
      events.map(({ data }) => `${data.type} ${data.postTitle}`).sort(),
      titles.map((title) => `CROSS_POST_SUCCESS ${title}`).sort(),
    );
  }
  // Each is changed through the release that did not create it.
  await Promise.all(titles.map((title, n) => publish(api(n + 1), title, 'Changed by the other.\n')));
  for (const [n, title] of titles.entries()) {
    await eventually(`the update of ${title}`, async () => (await world.log(title)).length > 1, { withinMs: 180_000 });
    await world.reaches(ids[n] ?? '', 'blogsite_b', 'delivered', 180_000);
    assert.deepEqual(
      (await world.log(title)).map(({ action }) => action),
      ['create', 'update'],
      title,
    );
  }
  for (const stream of streams) stream.close();
});

test('page views in either release are counted, in the totals as well', { skip }, async () => {
  const { slug } = await world.api.db
    .selectFrom('articles')
    .select('slug')
    .where('authorId', '=', author.id)
    .limit(1)
    .executeTakeFirstOrThrow();
  const origin = `http://localhost:${new URL(world.api.url).port}`;
  for (const api of apis) {
    const report = { method: 'POST', body: '', headers: { origin, 'user-agent': BROWSER } };
    const { status } = await fetch(`${api.url}/api/v1/articles/${slug}/readings`, report);
    assert.ok(status < 300, `${status}`);
  }
  const count = async (table: string) =>
    Number(
      (
        await sql<{ views: string }>`select coalesce(sum(views), 0) as views from ${sql.table(table)}`.execute(
          world.api.db,
        )
      ).rows[0]?.views,
    );
  await eventually('a reading', async () => (await count('article_days')) > 0, { withinMs: 180_000 });
  // The second may be a reload of the same reader. Whatever was counted, the totals must agree.
  await Promise.all([apis[0].kill(), workers[0].stop()]);
  assert.equal(await count('author_days'), await count('article_days'));
});

test('after the end of the former release, the new one continues', { skip }, async () => {
  const id = await publish(apis[1], 'Alone');
  await world.reaches(id, 'blogsite_b', 'delivered', 180_000);
  assert.equal((await world.log('Alone')).length, 1);
});

const BROWSER = 'Mozilla/5.0 (X11; Linux x64; rv:140.0) Gecko/20100101 Firefox/140.0';
