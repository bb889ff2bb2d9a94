/** Tests that a worker's wrong clock delays no delivery and no retry: times are the database's. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { buildDeliveryWorkflowId } from '../../../temporal/names.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import { passTime } from '../../support/delivery/pass-time.ts';
import {
  assertOnePostOneEvent,
  buildFault,
  createConnectedAuthor,
  publishArticle,
  waitForFaults,
} from '../../support/delivery/publishing.ts';
import { readDelivery, waitForLongPause, waitForState } from '../../support/delivery/seen-deliveries.ts';
import { sweepStalled } from '../../support/delivery/sweep.ts';
import { eventually } from '../../support/eventually.ts';

const DESTINATION = 'blogsite_a';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let world: DeliveryWorld;
/**
 * The error of the worker's clock; the database, Temporal and the destinations have the right time.
 */
let skewMs = 0;
before(async () => {
  world = await startDeliveryWorld({ deps: { now: () => new Date(Date.now() + skewMs) } });
});
after(() => world.close());

const setRight = () => {
  skewMs = 0;
};

/** Publishes with a 429 at the first attempt. */
async function publishLimited(title: string, retryAfter: string) {
  const author = await createConnectedAuthor(world, DESTINATION);
  await world.faults([buildFault('create', { status: 429, headers: { 'retry-after': retryAfter } })]);
  const { id } = await publishArticle(world, author, { title });
  return { author, id, title, destination: DESTINATION } as const;
}

type Limited = Awaited<ReturnType<typeof publishLimited>>;

const CLOCKS: [what: string, byMs: number][] = [
  ['a day behind', -DAY_MS],
  ['an hour behind', -HOUR_MS],
  ['an hour ahead', HOUR_MS],
  ['eight days ahead', 8 * DAY_MS],
];

/** The date is later than the pause after a failure without `Retry-After`. */
const FORMS: [form: string, afterMs: number][] = [
  ['seconds', 1_000],
  ['a date', 5_000],
];

/** Fails with the names of the clocks that prevented a delivery. */
async function assertDelivered(published: (Limited & { what: string })[]): Promise<void> {
  const ends = await Promise.allSettled(published.map((one) => waitForState(world, one, 'delivered')));
  const hidden = published.filter((_, index) => ends[index]?.status === 'rejected').map(({ what }) => what);
  assert.deepEqual(hidden, []);
  for (const one of published) await assertOnePostOneEvent(world, one);
}

async function loseWorkflow({ id }: Limited): Promise<void> {
  await world.client.workflow.getHandle(buildDeliveryWorkflowId(id, DESTINATION)).terminate('it is lost');
}

test('the next attempt follows the Retry-After with any clock of the worker (F14)', async (t) => {
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

test('a delivery written by a worker with a wrong clock is found when its workflow is lost (F14)', async (t) => {
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

for (const [what, byMs] of CLOCKS.filter(([, by]) => by === -HOUR_MS || by > DAY_MS)) {
  test(`a worker with a clock ${what} finds a delivery with a lost workflow (F14)`, async (t) => {
    t.after(setRight);
    const limited = await publishLimited(`Searched with a clock ${what}`, '3600');
    await waitForLongPause(world, limited);
    await loseWorkflow(limited);
    await passTime(world.api.db, '65 minutes');
    skewMs = byMs;
    await sweepStalled(world);
    await assertDelivered([{ ...limited, what }]);
  });
}

for (const [what, byMs] of CLOCKS.filter(([, by]) => Math.abs(by) === HOUR_MS)) {
  for (const [form, afterMs] of FORMS) {
    test(`a worker with a clock ${what} retries after the Retry-After as ${form} (F14)`, async (t) => {
      t.after(setRight);
      skewMs = byMs;
      const date = new Date(Date.now() + afterMs).toUTCString();
      const dueAt = form === 'a date' ? Date.parse(date) : Date.now() + afterMs;
      const title = `Retried by ${form} with a clock ${what}`;
      const limited = await publishLimited(title, form === 'a date' ? date : String(afterMs / 1_000));
      await waitForState(world, limited, 'delivered');
      await assertOnePostOneEvent(world, limited);
      const [create] = await world.log(title);
      assert.ok(Date.parse(create?.at ?? '') >= dueAt, `created at ${create?.at}`);
    });
  }
}
