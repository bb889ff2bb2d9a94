/**
 * A proxy forwards a request after its sender has timed out: later than the platform's read lag,
 * but within the time for late arrivals.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { DestinationKey } from '../../../article/types.ts';
import type { Platform } from '../../../destinations/types.ts';
import { unpublishArticle } from '../../../store/articles/commands.ts';
import { connectDestination } from '../../../store/connections/connect.ts';
import { loadSealer } from '../../../store/secrets/sealing.ts';
import { ROWS } from '../../destinations/rows/index.ts';
import type { TestAuthor } from '../../support/api/api.ts';
import { type LateProxy, type ProxiedRequest, startLateProxy } from '../../support/database/late-proxy.ts';
import { type DeliveryWorld, type LogEntry, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import {
  listEvents,
  publishArticle,
  waitForDeliveryEnd,
  waitForWithdrawal,
} from '../../support/delivery/publishing.ts';
import { eventually } from '../../support/eventually.ts';

/**
 * With the timeout and the request start, 12.5 s from the attempt record. Without the time for late
 * arrivals it would be 6.5 s.
 */
const LATE_MS = 7_000;
const FORWARDED_AFTER_MS = 8_500;

let world: DeliveryWorld;
const proxies: LateProxy[] = [];
before(async () => {
  world = await startDeliveryWorld({ deps: { lateArrivalMs: LATE_MS } });
});
after(async () => {
  await world.close();
  for (const proxy of proxies) await proxy.close();
});

interface Story {
  author: TestAuthor;
  key: DestinationKey;
  proxy: LateProxy;
  /** Publishes the same article with this title. Returns its id. */
  publish(title: string): Promise<string>;
  /** The actions on its post, oldest first. */
  log(): Promise<string[]>;
}

let stories = 0;
async function begin(key: DestinationKey, platform: Platform): Promise<Story> {
  const number = ++stories;
  const author = await world.api.createAuthor(`late-${number}`);
  const proxy = await startLateProxy(world.sandboxUrl);
  proxies.push(proxy);
  const row = ROWS.find(({ destination }) => destination.platform === platform);
  assert.ok(row);
  await connectDestination(world.api.db, await loadSealer({ home: world.api.home, key: undefined }), {
    userId: author.id,
    destination: key,
    platform,
    baseUrl: `${proxy.url}${row.path}`,
    credentials: row.credentials,
    account: { identity: author.id, name: null },
  });
  const only = { blogsite_a: false, blogsite_b: false, [key]: true };
  const fixed = { id: `late-${number}`, slug: `late-${number}`, cross_post: only };
  return {
    author,
    key,
    proxy,
    publish: async (title) => (await publishArticle(world, author, { ...fixed, title })).id,
    async log() {
      const entries = (await (await fetch(`${world.sandboxUrl}/log`)).json()) as LogEntry[];
      const articleEntries = entries.filter(({ canonicalUrl }) => canonicalUrl?.endsWith(`/late-${number}`));
      const ids = new Set(articleEntries.map(({ remoteId }) => remoteId));
      return entries
        .filter(({ platform: entryPlatform, remoteId }) => entryPlatform === key && ids.has(remoteId))
        .map(({ action, title }) => `${action} ${title}`);
    },
  };
}

const isCreate = ({ method, path, body }: ProxiedRequest) =>
  method === 'POST' && (/\/(articles|posts)\/?(\?.*)?$/.test(path) || body.includes('publishPost'));
const isChange = ({ method, path, body }: ProxiedRequest) =>
  (/^(PUT|POST)$/.test(method) && /\/(articles|posts)\/\w+\/?(\?.*)?$/.test(path)) || /updatePost/.test(body);

const PLATFORMS = [
  ['blogsite_a', 'forem'],
  ['blogsite_b', 'hashnode'],
  ['cms_site', 'wordpress'],
  ['cms_site', 'ghost'],
] as const;

for (const [key, platform] of PLATFORMS) {
  test(`a create that reaches ${platform} after our timeout makes the only post, with one event (F32)`, async () => {
    const story = await begin(key, platform);
    story.proxy.delay(isCreate, FORWARDED_AFTER_MS);
    const id = await story.publish('Late create');
    const waiting = await eventually('the wait to be seen', async () => {
      const row = await world.reaches(id, key, 'delivering');
      return row.nextAttemptAt && row;
    });
    assert.match(waiting.error ?? '', /could not be reached/);
    await world.reaches(id, key, 'delivered', 60_000);
    await story.proxy.settled();
    const creates = (await story.log()).filter((entry) => entry.startsWith('create'));
    assert.deepEqual(creates, ['create Late create']);
    assert.deepEqual(await listEvents(world, story.author), ['CROSS_POST_SUCCESS']);
  });
}

for (const [key, platform] of PLATFORMS) {
  test(`an update that reaches ${platform} late is followed by the newer one, which remains (F32)`, async () => {
    const story = await begin(key, platform);
    const id = await story.publish('First');
    await world.reaches(id, key, 'delivered');
    // Delays the repeat as well: the second version must not be delivered before the third is due.
    story.proxy.delay(isChange, FORWARDED_AFTER_MS, 9);
    await story.publish('Second');
    await eventually('the update to be unanswered', async () => (await readError(id)) === 'outcome_unknown');
    await story.publish('Third');
    story.proxy.delay(() => false, 0);
    await eventually('the third revision', async () => (await readRow(id)).deliveredRevision === 3, {
      withinMs: 60_000,
    });
    await story.proxy.settled();
    assert.equal((await story.log()).at(-1), 'update Third');
    assert.deepEqual(await listEvents(world, story.author), ['CROSS_POST_SUCCESS', 'CROSS_POST_SUCCESS']);
  });
}

test('an update that arrives after its own repeat is not mistaken for an external change (F32)', async () => {
  const story = await begin('blogsite_a', 'forem');
  const id = await story.publish('First');
  await world.reaches(id, 'blogsite_a', 'delivered');
  story.proxy.delay(isChange, FORWARDED_AFTER_MS);
  await story.publish('Second');
  await eventually('the repeat', async () => (await readRow(id)).deliveredRevision === 2, { withinMs: 30_000 });
  await waitForDeliveryEnd(world, id, 'blogsite_a');
  await story.proxy.settled();
  await story.publish('Third');
  await eventually('the third revision', async () => (await readRow(id)).deliveredRevision === 3, { withinMs: 30_000 });
  assert.equal((await story.log()).at(-1), 'update Third');
});

test('an update that arrives late does not restore a withdrawn post (F32)', async () => {
  const story = await begin('cms_site', 'wordpress');
  const id = await story.publish('First');
  await world.reaches(id, 'cms_site', 'delivered');
  story.proxy.delay(isChange, FORWARDED_AFTER_MS, 9);
  await story.publish('Second');
  await eventually('the update to be unanswered', async () => (await readError(id)) === 'outcome_unknown');
  story.proxy.delay(() => false, 0);
  await unpublishArticle(world.api.db, { authorId: story.author.id, articleId: id, now: new Date() });
  await eventually('the withdrawal', async () => (await readRow(id)).withdrawnAt !== null);
  await story.proxy.settled();
  // The withdrawal is repeated when the update can no longer arrive.
  await waitForDeliveryEnd(world, id, 'cms_site');
  assert.match((await story.log()).at(-1) ?? '', /^withdraw/);
});

test('a withdrawal that arrives late does not remove a republished post (F32)', async () => {
  const story = await begin('blogsite_a', 'forem');
  const id = await story.publish('First');
  await world.reaches(id, 'blogsite_a', 'delivered');
  story.proxy.delay(isChange, FORWARDED_AFTER_MS);
  await unpublishArticle(world.api.db, { authorId: story.author.id, articleId: id, now: new Date() });
  await waitForWithdrawal(world, id, 'blogsite_a');
  await story.publish('Again');
  await world.reaches(id, 'blogsite_a', 'delivered', 60_000);
  await story.proxy.settled();
  assert.equal((await story.log()).at(-1), 'update Again');
});

function readRow(articleId: string) {
  return world.api.db
    .selectFrom('deliveryStates')
    .select(['deliveredRevision', 'withdrawnAt', 'errorCode'])
    .where('articleId', '=', articleId)
    .where('deliveryId', 'is not', null)
    .executeTakeFirstOrThrow();
}

async function readError(articleId: string): Promise<string | null> {
  return (await readRow(articleId)).errorCode;
}
