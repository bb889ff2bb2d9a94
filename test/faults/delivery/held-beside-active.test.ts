/** Tests a publish concurrent with a reconnection of the same account: the delivery is sent. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { connectAccount, disconnect, findAccount, startWorldOfAccounts } from '../../support/api/accounts.ts';
import type { TestAuthor } from '../../support/api/api.ts';
import type { DeliveryWorld } from '../../support/delivery/delivery.ts';
import { listActions, listEvents, publishArticle, waitForOutbox } from '../../support/delivery/publishing.ts';
import { readDelivery, waitForState } from '../../support/delivery/seen-deliveries.ts';
import { eventually } from '../../support/eventually.ts';

/** Concurrent publishes and reconnections, per kind of loss. */
const TIMES = Number(process.env.HELD_BESIDE_ACTIVE_TIMES ?? 20);
const BATCH_SIZE = 10;
/**
 * The maximum delay of a reconnection after its publish: the plan is read and written meanwhile.
 */
const SPREAD_MS = 60;

let world: DeliveryWorld;
before(async () => {
  world = await startWorldOfAccounts();
});
after(() => world.close());

interface Loss {
  how: string;
  lose(author: TestAuthor): Promise<unknown>;
  /** Needed after a disconnection: an article without a copy is then offered instead of sent. */
  isDeliveredBefore: boolean;
}

const LOSSES: Loss[] = [
  {
    how: 'refused',
    lose: ({ id }) => sql`update connections set status = 'unauthorised' where user_id = ${id}`.execute(world.api.db),
    isDeliveredBefore: false,
  },
  { how: 'disconnected', lose: (author) => disconnect(world, author, 'blogsite_a'), isDeliveredBefore: true },
];

/** Loses the account, then publishes and reconnects concurrently. */
async function race(number: number, { how, lose, isDeliveredBefore }: Loss) {
  const title = `Raced ${how} ${number}`;
  const account = findAccount(world, 'forem', 'demo');
  const author = await world.api.createAuthor(`raced-${how}-${number}`);
  const publish = (text: string) => publishArticle(world, author, { title }, text);
  await connectAccount(world, author, account);
  if (isDeliveredBefore) {
    const { id } = await publish('First words.\n');
    await waitForState(world, { author, id, destination: 'blogsite_a' }, 'delivered');
  }
  await lose(author);
  const reconnect = async () => {
    await sleep(((number * 7) % TIMES) * (SPREAD_MS / TIMES));
    await connectAccount(world, author, account);
  };
  const [{ id }] = await Promise.all([publish('Other words.\n'), reconnect()]);
  return { author, id, title, destination: 'blogsite_a' as const };
}

for (const loss of LOSSES) {
  const revision = loss.isDeliveredBefore ? 2 : 1;
  test(`every article published during the reconnection of its ${loss.how} account is delivered once (F40)`, async () => {
    const raced: Awaited<ReturnType<typeof race>>[] = [];
    for (let done = 0; done < TIMES; done += BATCH_SIZE) {
      const numbers = Array.from({ length: Math.min(BATCH_SIZE, TIMES - done) }, (_, index) => done + index);
      raced.push(...(await Promise.all(numbers.map((number) => race(number, loss)))));
    }
    await waitForOutbox(world);
    const listOthers = async () => {
      const states = await Promise.all(raced.map((one) => readDelivery(world, one)));
      return states.filter((delivery) => delivery?.deliveredRevision !== revision || delivery.state !== 'delivered');
    };
    await eventually('all to be delivered', async () => (await listOthers()).length === 0).catch(async () => {
      const others = (await listOthers()).map((delivery) => delivery?.state ?? 'no delivery');
      assert.deepEqual(others, [], `${others.length} of ${raced.length} are not delivered`);
    });
    for (const { author, title } of raced) {
      const expected = loss.isDeliveredBefore ? ['create', 'update'] : ['create'];
      assert.deepEqual(await listActions(world, title), expected, title);
      const events = expected.map(() => 'CROSS_POST_SUCCESS');
      assert.deepEqual(await listEvents(world, author), events, title);
    }
  });
}
