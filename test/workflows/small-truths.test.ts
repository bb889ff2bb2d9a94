/** What a delivery shows and reports is true: after its article became a draft, beside an unknown attempt, and with a worker's wrong clock. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { buildDeliveryWorkflowId } from '../../temporal/names.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../support/delivery.ts';
import { visitDesk } from '../support/desk.ts';
import { eventually } from '../support/eventually.ts';
import { ask } from '../support/graphql.ts';
import { passTime } from '../support/pass-time.ts';
import {
  assertOnePostOneEvent,
  buildFault,
  countCreates,
  createConnectedAuthor,
  listActions,
  listEvents,
  publishArticle,
  waitForDeliveryEnd,
  waitForFaults,
  waitForOutbox,
} from '../support/publishing.ts';
import { readDelivery, waitForLongPause, waitForState } from '../support/seen-deliveries.ts';
import { sweepStalled } from '../support/sweep.ts';

const DESTINATION = 'blogsite_a';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let world: DeliveryWorld;
/** How wrong the clock of the worker is; the database, Temporal and the destinations have the right time. */
let skewMs = 0;
before(async () => {
  world = await startDeliveryWorld({ deps: { now: () => new Date(Date.now() + skewMs) } });
});
after(() => world.close());

const setRight = () => {
  skewMs = 0;
};

/** Limited for so long at its first attempt. */
async function publishLimited(title: string, retryAfter: string) {
  const author = await createConnectedAuthor(world, DESTINATION);
  await world.faults([buildFault('create', { status: 429, headers: { 'retry-after': retryAfter } })]);
  const { id } = await publishArticle(world, author, { title });
  return { author, id, title, destination: DESTINATION } as const;
}

type Limited = Awaited<ReturnType<typeof publishLimited>>;

const MADE_DRAFT: Record<string, (limited: Limited) => Promise<unknown>> = {
  'published as a draft': ({ author, title }) => publishArticle(world, author, { title, draft: true }),
  unpublished: ({ author, id }) =>
    ask(world.api, author.id, 'mutation ($id: ID!) { unpublishArticle(id: $id) { article { id } } }', { id }),
};

for (const [how, makeDraft] of Object.entries(MADE_DRAFT)) {
  test(`a delivery that was pending when its article was ${how} is not shown as pending work`, async () => {
    const limited = await publishLimited(`Pending, then ${how}`, '3600');
    await waitForLongPause(world, limited);
    await makeDraft(limited);
    await waitForOutbox(world);
    const { text } = await (await visitDesk(world.api, limited.author.id)).get(`/desk/articles/${limited.id}`);
    assert.match(text, /not sent/i);
    assert.doesNotMatch(text, /Next attempt/);
    await eventually(
      'the plan to be dropped',
      async () => {
        const delivery = await readDelivery(world, limited);
        return delivery?.nextAttemptAt === null;
      },
      { withinMs: 5_000 },
    );
    const delivery = await readDelivery(world, limited);
    assert.ok(!['pending', 'delivering'].includes(delivery?.state ?? ''), JSON.stringify(delivery));
    assert.deepEqual(await listActions(world, limited.title), []);
  });
}

test('a publish beside an unknown attempt at Medium is reported to its author, and nothing is sent', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_c');
  const title = 'Unknown at Medium';
  const chosen = { blogsite_a: false, blogsite_b: false, blogsite_c: true };
  await world.faults([buildFault('create', { platform: 'blogsite_c', drop: 'after' })]);
  const { id } = await publishArticle(world, author, { title, cross_post: chosen });
  const of = { author, id, destination: 'blogsite_c' } as const;
  await waitForState(world, of, 'unknown');
  await waitForDeliveryEnd(world, id, 'blogsite_c');
  assert.deepEqual(await listEvents(world, author), ['CROSS_POST_FAILED']);
  await publishArticle(world, author, { title, cross_post: chosen }, 'Other words.\n');
  await waitForDeliveryEnd(world, id, 'blogsite_c');
  await sweepStalled(world);
  assert.equal((await readDelivery(world, of))?.state, 'unknown');
  assert.equal(await countCreates(world, title), 1);
  assert.deepEqual(await listEvents(world, author), ['CROSS_POST_FAILED', 'CROSS_POST_FAILED']);
});

const CLOCKS: [what: string, byMs: number][] = [
  ['a day behind', -DAY_MS],
  ['an hour behind', -HOUR_MS],
  ['an hour ahead', HOUR_MS],
  ['eight days ahead', 8 * DAY_MS],
];

/** Fails with the clocks for which the delivery was not sent. */
async function assertDelivered(published: (Limited & { what: string })[]): Promise<void> {
  const ends = await Promise.allSettled(published.map((one) => waitForState(world, one, 'delivered', 5_000)));
  const hidden = published.filter((_, index) => ends[index]?.status === 'rejected').map(({ what }) => what);
  assert.deepEqual(hidden, []);
  for (const one of published) await assertOnePostOneEvent(world, one);
}

async function loseWorkflow({ id }: Limited): Promise<void> {
  await world.client.workflow.getHandle(buildDeliveryWorkflowId(id, DESTINATION)).terminate('it is lost');
}

test('the next attempt is when the destination asks for it, whatever clock the worker has (F14)', async (t) => {
  t.after(setRight);
  const shown: Record<string, string> = {};
  for (const [what, byMs] of CLOCKS) {
    skewMs = byMs;
    const limited = await publishLimited(`Shown with a clock ${what}`, '3600');
    await waitForFaults(world);
    const delivery = await eventually('the pause', async () => {
      const read = await readDelivery(world, limited);
      return read?.nextAttemptAt ? read : null;
    });
    const wrongByMs = Date.parse(delivery.nextAttemptAt ?? '') - Date.now() - HOUR_MS;
    shown[what] = Math.abs(wrongByMs) < MINUTE_MS ? 'in an hour' : `wrong by ${Math.round(wrongByMs / MINUTE_MS)} min`;
  }
  assert.deepEqual(shown, Object.fromEntries(CLOCKS.map(([what]) => [what, 'in an hour'])));
});

test('what a worker with a wrong clock has written is found when its workflow is lost (F14)', async (t) => {
  t.after(setRight);
  const published: (Limited & { what: string })[] = [];
  for (const [what, byMs] of CLOCKS) {
    skewMs = byMs;
    const limited = await publishLimited(`Written with a clock ${what}`, '3600');
    await eventually('the pause', async () => (await readDelivery(world, limited))?.nextAttemptAt);
    await loseWorkflow(limited);
    published.push({ ...limited, what });
  }
  setRight();
  await passTime(world.api.db, '65 minutes');
  await sweepStalled(world);
  await assertDelivered(published);
});

for (const [what, byMs] of CLOCKS) {
  test(`a worker whose clock is ${what} finds a delivery whose workflow is lost (F14)`, async (t) => {
    t.after(setRight);
    const limited = await publishLimited(`Searched with a clock ${what}`, '3600');
    await waitForLongPause(world, limited);
    await loseWorkflow(limited);
    await passTime(world.api.db, '65 minutes');
    skewMs = byMs;
    await sweepStalled(world);
    await assertDelivered([{ ...limited, what }]);
  });

  test(`a worker whose clock is ${what} retries when Retry-After is over, as seconds and as a date (F14)`, async (t) => {
    t.after(setRight);
    skewMs = byMs;
    const retried: { limited: Limited; dueAt: number }[] = [];
    for (const form of ['seconds', 'a date']) {
      // A date has no fractions of a second.
      const date = new Date(Date.now() + 2_000).toUTCString();
      const dueAt = form === 'seconds' ? Date.now() + 1_000 : Date.parse(date);
      const limited = await publishLimited(`Retried by ${form} with a clock ${what}`, form === 'seconds' ? '1' : date);
      await waitForFaults(world);
      retried.push({ limited, dueAt });
    }
    for (const { limited, dueAt } of retried) {
      await waitForState(world, limited, 'delivered', 5_000);
      await assertOnePostOneEvent(world, limited);
      const [create] = await world.log(limited.title);
      assert.ok(Date.parse(create?.at ?? '') >= dueAt, `${limited.title}: ${create?.at}`);
    }
  });
}
