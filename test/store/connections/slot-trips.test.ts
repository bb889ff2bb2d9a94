/** What a delivery waits for: every one takes a slot and gives it back, so each is a round trip for what is read and one for what is written. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { PLACES } from '../../../store/connections/rate-slots.ts';
import { countTrips } from '../../support/count-trips.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';
import { assertNear, openLine } from './line.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const UNPACED = { isPaced: false };

test('a call that may be made at once waits twice for its slot, and twice for its release', async () => {
  const { deliveries, ask, release } = await openLine(ledger, 2);
  const [paced = '', unpaced = ''] = deliveries;
  for (const [id, more] of [
    [unpaced, UNPACED],
    [paced, {}],
    [paced, {}],
  ] as const) {
    const { trips, answer } = await countTrips(() => ask(id, more));
    assert.deepEqual({ trips, wakeInMs: answer.wakeInMs }, { trips: 2, wakeInMs: 0 });
  }
  for (const id of deliveries) {
    const { trips, answer } = await countTrips(() => release(id, 'answered'));
    assert.deepEqual({ trips, answer }, { trips: 2, answer: [] });
  }
});

test('a release that tells others waits twice, however many it tells', async () => {
  const { connectionId, deliveries, ask, release } = await openLine(ledger, PLACES + 3);
  for (const id of deliveries) await ask(id, UNPACED);
  const [first = '', ...calling] = deliveries.slice(0, PLACES);
  // Their workers were lost, so that several places are free at once.
  await sql`delete from rate_slots where delivery_id in (${sql.join(calling.slice(0, 2))})`.execute(ledger.db);
  await sql`update connections set refusals = 1 where id = ${connectionId}`.execute(ledger.db);
  const { trips, answer } = await countTrips(() => release(first, 'answered'));
  assert.equal(trips, 2);
  assert.deepEqual(answer.map(({ deliveryId }) => deliveryId).sort(), deliveries.slice(PLACES).sort());
});

test('a delivery that is to wait asks once more, who is ahead of it', async () => {
  const { deliveries, ask } = await openLine(ledger, 2);
  const [first = '', second = ''] = deliveries;
  await ask(first);
  const { trips, answer } = await countTrips(() => ask(second));
  assert.equal(trips, 3);
  assert.ok(answer.wakeInMs > 0);
});

test('where there is nothing to release, or no connection, nothing is written', async () => {
  const { connectionId, deliveries, ask, release } = await openLine(ledger, 1);
  const [only = ''] = deliveries;
  const released = await countTrips(() => release(only));
  assert.deepEqual(released, { trips: 2, statements: 5, answer: [] });
  await ledger.db.deleteFrom('connections').where('id', '=', connectionId).execute();
  const { trips, answer } = await countTrips(() => ask(only));
  assert.deepEqual({ trips, answer }, { trips: 2, answer: { slotInMs: 0, wakeInMs: 0 } });
  assert.deepEqual(await ledger.db.selectFrom('rateSlots').where('deliveryId', '=', only).execute(), []);
});

test('where PostgreSQL has lost what was prepared, a slot is still taken once and given back once', async () => {
  const { deliveries, ask, reserve, release } = await openLine(ledger, 3);
  const [first = '', second = '', third = ''] = deliveries;
  // On the connection that was used last, which is used next.
  const lose = async (statement: string) => {
    const { rows } = await sql<{ name: string }>`select name from pg_prepared_statements
      where starts_with(name, ${`${statement} `})`.execute(ledger.db);
    for (const { name } of rows) await sql`deallocate ${sql.id(name)}`.execute(ledger.db);
    return rows.length;
  };
  await ask(third, UNPACED);
  await release(third, 'over');
  assert.ok((await lose('lock_account')) > 0);
  assert.equal(await reserve(first), 0);
  assert.ok((await lose('put_slot')) > 0);
  assertNear(await reserve(second), 10_000);
  assertNear(await reserve(third), 20_000);
  await release(second);
  assert.ok((await lose('delete_slot')) > 0);
  await release(first);
  const left = await ledger.db
    .selectFrom('rateSlots')
    .select('deliveryId')
    .where('deliveryId', 'in', deliveries)
    .execute();
  assert.deepEqual(left, [{ deliveryId: third }]);
});
