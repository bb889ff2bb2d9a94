/**
 * Tests the connection of another account: nothing is sent automatically, and its author selects
 * articles.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DestinationKey } from '../../../article/types.ts';
import {
  DEMO_HASHNODE_PUBLICATION,
  DEMO_MEDIUM_USER,
  SECOND_HASHNODE_PUBLICATION,
  SECOND_MEDIUM_USER,
} from '../../../sandbox/accounts.ts';
import {
  connectAccount,
  disconnect,
  findAccount,
  listPostsAt,
  type SandboxAccount,
  startWorldOfAccounts,
} from '../../support/api/accounts.ts';
import type { TestAuthor } from '../../support/api/api.ts';
import { visitDesk } from '../../support/api/desk.ts';
import type { DeliveryWorld } from '../../support/delivery/delivery.ts';
import { listOffers, sendArticles } from '../../support/delivery/offers.ts';
import { passTime } from '../../support/delivery/pass-time.ts';
import {
  countCreates,
  listActions,
  publishArticle,
  waitForDeliveryEnd,
  waitForOutbox,
} from '../../support/delivery/publishing.ts';
import { readDelivery, waitForState } from '../../support/delivery/seen-deliveries.ts';
import { sweepStalled } from '../../support/delivery/sweep.ts';
import { eventually } from '../../support/eventually.ts';

let world: DeliveryWorld;
before(async () => {
  world = await startWorldOfAccounts();
});
after(() => world.close());

const HASHNODE = { platform: 'hashnode', first: DEMO_HASHNODE_PUBLICATION, second: SECOND_HASHNODE_PUBLICATION };
const PAIRS = [
  HASHNODE,
  { platform: 'wordpress', first: 'wordpress/demo', second: 'wordpress-b/demo' },
  { platform: 'medium', first: DEMO_MEDIUM_USER, second: SECOND_MEDIUM_USER },
];

interface Story {
  author: TestAuthor;
  destination: DestinationKey;
  a: SandboxAccount;
  b: SandboxAccount;
  articles: { id: string; title: string }[];
  publish(title: string, text?: string, fields?: object): Promise<string>;
}

let stories = 0;
/** Publishes `count` articles, delivered at the first account. */
async function begin({ platform, first, second }: typeof HASHNODE, count: number): Promise<Story> {
  const name = `changes-account-${++stories}`;
  const author = await world.api.createAuthor(name);
  const [a, b] = [findAccount(world, platform, first), findAccount(world, platform, second)];
  const { destination } = a;
  const publish: Story['publish'] = async (title, text, fields = {}) => {
    const chosen = { blogsite_a: false, blogsite_b: false, [destination]: true };
    return (await publishArticle(world, author, { title, cross_post: chosen, ...fields }, text)).id;
  };
  await connectAccount(world, author, a);
  const articles: Story['articles'] = [];
  for (let number = 1; number <= count; number++) {
    const title = `${name} article ${number}`;
    articles.push({ id: await publish(title), title });
  }
  for (const { id } of articles) {
    await waitForState(world, { author, id, destination }, 'delivered');
    await waitForDeliveryEnd(world, id, destination);
  }
  return { author, destination, a, b, articles, publish };
}

/** Resolves when all automatic steps are done, including those due within half an hour. */
async function settleDown({ articles, destination }: Story): Promise<void> {
  await waitForOutbox(world);
  await passTime(world.api.db, '30 minutes');
  await sweepStalled(world);
  for (const { id } of articles) await waitForDeliveryEnd(world, id, destination);
}

async function look({ author, destination, articles }: Story) {
  const deliveries = await Promise.all(articles.map(({ id }) => readDelivery(world, { author, id, destination })));
  return {
    actions: await Promise.all(articles.map(({ title }) => listActions(world, title))),
    events: (await world.notifications(author)).map(({ type }) => type),
    troubled: deliveries.filter((one) => one && ['failed', 'unknown', 'pending', 'delivering'].includes(one.state)),
    planned: deliveries.filter((one) => one && one.nextAttemptAt !== null),
    withoutCopy: deliveries.filter((one) => one?.state === 'delivered' && one.remoteUrl === null),
  };
}

/** The ways differ in the store, which treats all platforms alike. */
const WAYS: Record<string, string[]> = {
  hashnode: ['at once', 'after disconnecting'],
  wordpress: ['after disconnecting'],
  medium: ['at once'],
};

for (const pair of PAIRS) {
  for (const way of WAYS[pair.platform] ?? []) {
    test(`${pair.platform}: connecting another account ${way} and then the first again sends, fails and notifies nothing (F41)`, async () => {
      const story = await begin(pair, 2);
      const { author, destination, a, b } = story;
      const before = await look(story);
      for (const account of [b, a]) {
        if (way !== 'at once') await disconnect(world, author, destination);
        await connectAccount(world, author, account);
        await settleDown(story);
        assert.deepEqual(await look(story), before, `connected to ${account.account}`);
      }
      for (const { id } of story.articles) {
        const { remoteUrl } = await waitForState(world, { author, id, destination }, 'delivered');
        assert.ok(remoteUrl);
      }
      assert.deepEqual(await listOffers(world, author, destination), []);
    });
  }
}

test('a copy at the first account is listed as a former copy while another account is connected (F41)', async () => {
  const story = await begin(HASHNODE, 1);
  const { author, destination, b, articles } = story;
  const of = { author, id: articles[0]?.id ?? '', destination };
  const { remoteUrl } = await waitForState(world, of, 'delivered');
  await connectAccount(world, author, b);
  await settleDown(story);
  const former = (await readDelivery(world, of))?.formerCopies;
  assert.deepEqual(
    former?.map(({ url, isWithdrawn }) => [url, isWithdrawn]),
    [[remoteUrl, false]],
  );
});

for (const pair of PAIRS) {
  test(`${pair.platform}: articles without a copy at the other account are offered, and only selected ones are sent (F41)`, async () => {
    const story = await begin(pair, 2);
    const { author, destination, a, b, articles } = story;
    await connectAccount(world, author, b);
    await settleDown(story);
    const offered = (await listOffers(world, author, destination)).map(({ title }) => title);
    assert.deepEqual(offered.sort(), articles.map(({ title }) => title).sort());

    const [chosen, ...others] = articles;
    assert.ok(chosen);
    const events = (await world.notifications(author)).length;
    const sent = await sendArticles(world, author, destination, [chosen.id]);
    assert.deepEqual(
      sent.map(({ articleId }) => articleId),
      [chosen.id],
    );
    await waitForState(world, { author, id: chosen.id, destination }, 'delivered');
    await settleDown(story);
    assert.equal((await listPostsAt(world, b, chosen.title)).length, 1);
    assert.equal((await listPostsAt(world, a, chosen.title)).length, 1);
    for (const { title } of others) assert.deepEqual(await listActions(world, title), ['create'], title);
    const added = (await world.notifications(author))
      .slice(events)
      .map(({ type, payload }) => [type, payload.postTitle]);
    assert.deepEqual(added, [['CROSS_POST_SUCCESS', chosen.title]]);
    const remaining = (await listOffers(world, author, destination)).map(({ title }) => title);
    assert.deepEqual(remaining.sort(), others.map(({ title }) => title).sort());

    // A repeated selection and another author's article send nothing more.
    await sendArticles(world, author, destination, [chosen.id]);
    await settleDown(story);
    assert.equal(await countCreates(world, chosen.title), 2);
  });
}

test('the desk lists the offers for the other account and sends the selected articles (F41)', async () => {
  const story = await begin(HASHNODE, 3);
  const { author, destination, b, articles } = story;
  const visitor = await visitDesk(world.api, author.id);
  const path = `/desk/settings/connections/${destination}`;
  const heading = /<h2>Send 3 articles to /;
  assert.doesNotMatch((await visitor.get(path)).text, heading);
  await connectAccount(world, author, b);
  await settleDown(story);
  assert.match((await visitor.get(path)).text, heading);
  assert.match((await visitor.submit(`${path}/send`)).text, /Select at least one article\./);

  const [first, second, third] = articles;
  assert.ok(first && second && third);
  const selected = new URLSearchParams([first.id, second.id, 'no id'].map((id) => ['article', id]));
  assert.match((await visitor.submit(`${path}/send`, selected)).text, /Sending 2 articles\./);
  for (const { id } of [first, second]) await waitForState(world, { author, id, destination }, 'delivered');
  await settleDown(story);
  for (const { title } of [first, second]) assert.equal((await listPostsAt(world, b, title)).length, 1);
  assert.deepEqual(await listActions(world, third.title), ['create']);
  assert.match((await visitor.get(path)).text, /<h2>Send 1 article to /);
});

test('“Retry all failed” sends nothing to another account (F41)', async () => {
  const story = await begin(HASHNODE, 1);
  const { author, b } = story;
  await connectAccount(world, author, b);
  await settleDown(story);
  const visitor = await visitDesk(world.api, author.id);
  const { status } = await visitor.submit('/desk/retry', { what: 'all', back: '/desk' });
  assert.equal(status, 200);
  await settleDown(story);
  assert.deepEqual((await look(story)).actions, [['create']]);
});

test('an article republished with a changed flag during a change of account is not delivered without a copy', async () => {
  // Covers a change of account before, during and after the plan of the deliveries.
  for (const afterMs of [5, 25, 50]) {
    const story = await begin(HASHNODE, 4);
    const { author, destination, b, articles, publish } = story;
    const fields = { cross_post: { blogsite_a: true, blogsite_b: true } };
    const changeAccount = async () => {
      await sleep(afterMs);
      await connectAccount(world, author, b);
    };
    await Promise.all([changeAccount(), ...articles.map(({ title }) => publish(title, undefined, fields))]);
    await waitForOutbox(world);
    for (const { id } of articles) await waitForDeliveryEnd(world, id, destination);
    assert.deepEqual((await look(story)).withoutCopy, []);
  }
});

test('an article republished while another account is connected is sent there, and its first copy is unchanged', async () => {
  const story = await begin(HASHNODE, 2);
  const { author, destination, a, b, articles, publish } = story;
  const [again, other] = articles;
  assert.ok(again && other);
  const [first] = await listPostsAt(world, a, again.title);
  await connectAccount(world, author, b);
  await settleDown(story);
  await publish(again.title, 'Other words.\n');
  await waitForState(world, { author, id: again.id, destination }, 'delivered');
  await settleDown(story);
  assert.equal((await listPostsAt(world, b, again.title)).length, 1);
  assert.deepEqual(await listPostsAt(world, a, again.title), [first]);
  assert.deepEqual(await listActions(world, other.title), ['create']);
});

test('a copy of an article that became a draft while another account was connected is withdrawn when its account returns', async () => {
  const story = await begin(HASHNODE, 2);
  const { author, a, b, articles, publish } = story;
  const [drafted, other] = articles;
  assert.ok(drafted && other);
  await connectAccount(world, author, b);
  await publish(drafted.title, 'Not public yet.\n', { draft: true });
  await settleDown(story);
  assert.deepEqual(await listActions(world, drafted.title), ['create']);
  await connectAccount(world, author, a);
  await eventually('the withdrawal', async () => (await listActions(world, drafted.title)).includes('withdraw'));
  await settleDown(story);
  assert.deepEqual(await listActions(world, drafted.title), ['create', 'withdraw']);
  assert.deepEqual(await listActions(world, other.title), ['create']);
});
