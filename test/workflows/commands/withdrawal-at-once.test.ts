/** Tests that a withdrawal does not wait for the pauses of an earlier update. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestAuthor } from '../../support/api/api.ts';
import { runGraphql, sendCommand } from '../../support/api/graphql.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import { buildFaultAt, createAuthorAt, listPlatforms, type PlatformCase } from '../../support/delivery/platforms.ts';
import {
  buildFault,
  listActions,
  publishArticle,
  waitForDeliveryEnd,
  waitForWithdrawal,
} from '../../support/delivery/publishing.ts';
import { readDelivery, waitForLongPause, waitForState } from '../../support/delivery/seen-deliveries.ts';
import { eventually } from '../../support/eventually.ts';

const RETRY_AFTER = { 'retry-after': '86000' };

let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld();
});
after(() => world.close());

interface Story extends PlatformCase {
  author: TestAuthor;
  title: string;
  id: string;
  /** Actions of the first delivery: a create, on a slow machine followed by others. */
  actionsBefore: string[];
  edit(fields?: object): Promise<unknown>;
}

interface Copy {
  isWithdrawn: boolean;
  message: string;
  url: string;
}

/** The ways to withdraw an article; each returns the copies of the response, if it has any. */
const ORDERS: Record<string, (story: Story) => Promise<Copy[] | null>> = {
  unpublish: (story) => runMutation(story, 'unpublishArticle'),
  delete: (story) => runMutation(story, 'deleteArticle'),
  async draft({ edit }) {
    await edit({ draft: true });
    return null;
  },
  async withdrawDelivery({ author, id, key }) {
    const { data, text } = await sendCommand(world.api, author.id, 'withdraw', { articleId: id, destination: key });
    assert.ok(data?.withdrawDelivery, text);
    return null;
  },
};

async function runMutation({ author, id }: Story, command: string): Promise<Copy[]> {
  const query = `mutation ($id: ID!) { ${command}(id: $id) { copies { isWithdrawn message url } } }`;
  const { data, text } = await runGraphql(world.api, author.id, query, { id });
  assert.ok(data?.[command], text);
  return data[command].copies;
}

/** Publishes and delivers an article, by a new author unless `by` is set. */
async function begin(one: PlatformCase, title: string, by?: TestAuthor): Promise<Story> {
  const author = by ?? (await createAuthorAt(world, one));
  const selected = { blogsite_a: false, blogsite_b: false, [one.key]: true };
  const publish = (text: string, fields: object = {}) =>
    publishArticle(world, author, { title, cross_post: selected, ...fields }, text);
  const { id } = await publish('First words.\n');
  await waitForState(world, { author, id, destination: one.key }, 'delivered');
  await waitForDeliveryEnd(world, id, one.key);
  const actionsBefore = await listActions(world, title);
  return { ...one, author, title, id, actionsBefore, edit: (fields) => publish('Other words.\n', fields) };
}

/** Runs all orders in parallel; fails with the copies that are not withdrawn in time. */
async function assertWithdrawn(stories: (Story & { order: string })[]): Promise<void> {
  const ends = await Promise.allSettled(
    stories.map(async (story) => {
      const copies = await ORDERS[story.order]?.(story);
      if (copies)
        assert.deepEqual(
          copies.map(({ isWithdrawn }) => isWithdrawn),
          [true],
          'what the answer says',
        );
      await eventually('the withdrawal', async () => (await listActions(world, story.title)).includes('withdraw'));
      assert.deepEqual(await listActions(world, story.title), [...story.actionsBefore, 'withdraw']);
    }),
  );
  const late = ends.flatMap((end, index) => {
    const { platform, order } = stories[index] as Story & { order: string };
    return end.status === 'rejected' ? [`${platform}, ${order}: ${(end.reason as Error).message}`] : [];
  });
  assert.deepEqual(late, []);
}

const WITHDRAWING = listPlatforms(({ destination: { limits } }) => limits.canUpdate && limits.withdraw !== 'none');
/** Above the number of updates sent, because a lost activity is repeated. */
const MAX_UPDATES = 1_000;

/** Pairs each platform with an order. Each test shifts the pairs; the workflow treats all alike. */
function listCases(shift: number) {
  const orders = Object.keys(ORDERS);
  return WITHDRAWING.map((one, index) => ({ one, order: orders[(index + shift) % orders.length] as string }));
}

for (const [shift, status] of [503, 429].entries()) {
  test(`a copy with an update that got a ${status} with a long Retry-After is withdrawn at once, at every platform that can (F39)`, async () => {
    await world.faults([]);
    const stories = await Promise.all(
      listCases(shift).map(async ({ one, order }) => ({
        ...(await begin(one, `${order} after ${status} at ${one.platform}`)),
        order,
      })),
    );
    await world.faults(
      WITHDRAWING.map((one) =>
        buildFaultAt(one, { action: 'update', status, headers: RETRY_AFTER, times: MAX_UPDATES }),
      ),
    );
    await Promise.all(
      stories.map(async ({ author, id, key, edit }) => {
        await edit();
        await waitForLongPause(world, { author, id, destination: key });
      }),
    );
    await assertWithdrawn(stories);
  });
}

test('a copy with an update that waits for a rate slot is withdrawn at once, at every platform that can (F39)', async () => {
  await world.faults([]);
  const stories = await Promise.all(
    listCases(2).map(async ({ one, order }) => {
      const limited = await begin(one, `Limits ${order} at ${one.platform}`);
      return { ...(await begin(one, `${order} in line at ${one.platform}`, limited.author)), order, limited };
    }),
  );
  await world.faults(
    WITHDRAWING.map((one) =>
      buildFaultAt(one, { action: 'update', status: 429, headers: RETRY_AFTER, times: MAX_UPDATES }),
    ),
  );
  await Promise.all(
    stories.map(async ({ author, id, key, edit, limited }) => {
      await limited.edit();
      await waitForLongPause(world, { author, id: limited.id, destination: key });
      await edit();
      await waitForLongPause(world, { author, id, destination: key });
    }),
  );
  await assertWithdrawn(stories);
});

test('a withdrawn copy is deleted or hidden, depending on the platform', async () => {
  await world.faults([]);
  const stories = await Promise.all(
    listPlatforms(({ destination: { limits } }) => limits.withdraw !== 'none').map((one) =>
      begin(one, `Presence at ${one.platform}`),
    ),
  );
  const found = await Promise.all(
    stories.map(async (story) => {
      await runMutation(story, 'unpublishArticle');
      await waitForWithdrawal(world, story.id, story.key);
      const copies = world.api.db.selectFrom('copies').select('presence').where('articleId', '=', story.id);
      return [story.platform, (await copies.executeTakeFirstOrThrow()).presence];
    }),
  );
  const expected = stories.map(({ platform, row: { destination } }) => {
    return [platform, destination.limits.withdraw === 'deleted' ? 'deleted' : 'hidden'];
  });
  assert.deepEqual(found, expected);
});

test('a withdrawal at an unavailable platform is retried', async () => {
  const [forem] = WITHDRAWING.filter(({ platform }) => platform === 'forem');
  assert.ok(forem);
  await world.faults([]);
  const story = await begin(forem, 'Withdrawn at the second try');
  await world.faults([buildFault('withdraw', { status: 503, headers: { 'retry-after': '1' } })]);
  await assertWithdrawn([{ ...story, order: 'unpublish' }]);
});

for (const one of listPlatforms(({ destination: { limits } }) => limits.withdraw === 'none')) {
  for (const [order, execute] of Object.entries(ORDERS)) {
    test(`${order} at ${one.platform}, which cannot withdraw, notifies the author of the copy (F39)`, async () => {
      await world.faults([]);
      const story = await begin(one, `${order} at ${one.platform} stays`);
      const copies = await execute(story);
      if (copies)
        assert.deepEqual(
          copies.map(({ isWithdrawn }) => isWithdrawn),
          [false],
        );
      const of = { author: story.author, id: story.id, destination: one.key };
      const event = await eventually('the copy to be named', async () => {
        const events = await world.notifications(story.author);
        return events.find(({ type }) => type === 'CROSS_POST_FAILED');
      });
      const url = copies?.[0]?.url ?? (await readDelivery(world, of))?.remoteUrl ?? '?';
      assert.ok(JSON.stringify(event.payload).includes(url), JSON.stringify(event.payload));
      if (order !== 'delete') assert.equal((await readDelivery(world, of))?.errorCode, 'cannot_withdraw');
      assert.deepEqual(await listActions(world, story.title), ['create']);
    });
  }
}
