/**
 * Two APIs behind the example load balancers: events arrive at once, and clients do not notice the
 * end of an API.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addNotification } from '../../store/notifications/add.ts';
import { type ApiProcess, startApiProcess } from '../api/support/api-process.ts';
import { markdown, startTestApi, type TestApi } from '../support/api/api.ts';
import { openStream } from '../support/api/event-stream.ts';
import { readTemporalAddress } from '../support/environment.ts';
import { BALANCERS, findBalancer, startBalancer } from './support/balancer.ts';
import { publishPatiently } from './support/publish.ts';

let like: TestApi;
before(async () => {
  like = await startTestApi();
  await like.app.close();
});
after(() => like.close());

let notified = 0;
const notify = (postTitle: string) =>
  like.db.transaction().execute((tx) =>
    addNotification(tx, {
      userId: like.author.id,
      type: 'CROSS_POST_SUCCESS',
      payload: { platform: 'BLOGSITE_A', postTitle, sharedUrl: 'https://blog.example/1' },
      dedupeKey: `balanced:${++notified}`,
      now: new Date(),
    }),
  );

for (const name of Object.keys(BALANCERS) as (keyof typeof BALANCERS)[]) {
  const skip = findBalancer(name) ? false : `${name} is not installed`;
  test(`behind ${name}: events are not delayed, and when an API is killed everything is published once and no event is missed`, {
    skip,
  }, async (t) => {
    const start = () => startApiProcess({ like, temporal: readTemporalAddress(), env: { TRUST_PROXY: '127.0.0.1' } });
    const apis: ApiProcess[] = [await start(), await start()];
    t.after(() => Promise.all(apis.map((api) => api.kill())));
    const balancer = await startBalancer(
      name,
      apis.map(({ url }) => new URL(url).host),
    );
    t.after(() => balancer.close());
    const token = await like.sessions.issue('courant:stream', like.author.id);

    // Two streams, so that each API has one: the least busy API is next.
    const streams = [await openStream(balancer.url, token), await openStream(balancer.url, token)];
    const seen = streams.map(({ events }) => events.length);
    await notify('One');
    for (const [n, stream] of streams.entries()) await stream.count((seen[n] ?? 0) + 1, 120_000);

    await apis[0]?.kill();
    const publish = (n: number) =>
      publishPatiently(balancer.url, like.author.token, markdown({ title: `Behind ${name} ${n}` }));
    for (let n = 0; n < 12; n += 1) assert.ok([200, 201].includes((await publish(n)).status));
    const published = like.db.selectFrom('articles').select('id').where('title', 'like', `Behind ${name} %`);
    assert.equal((await published.execute()).length, 12);

    await notify('Two');
    for (const stream of streams) {
      const last = stream.lastEventId() ?? '0';
      stream.close();
      const again = await openStream(balancer.url, token, { 'last-event-id': last });
      const titles = async () => [...stream.events, ...again.events].slice(-1).map(({ data }) => data.postTitle);
      if ((await titles())[0] !== 'Two') await again.count(1, 120_000);
      assert.deepEqual(await titles(), ['Two']);
      again.close();
    }
  });
}
