import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { blockConnection, FRONT, PLACES, reserveSlot } from '../../../store/connections/rate-slots.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';
import { assertNear, openLine } from './line.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const UNPACED = { isPaced: false };

test('an account’s rate slots: a burst at once, then one per interval, each delivery its own', async () => {
  const { deliveries, reserve } = await openLine(ledger, 5, { intervalMs: 10_000, burst: 3 });
  const waits = (await Promise.all(deliveries.map((id) => reserve(id)))).sort((a, b) => a - b);
  assert.deepEqual(waits.slice(0, 3), [0, 0, 0]);
  assertNear(waits[3] ?? 0, 10_000);
  assertNear(waits[4] ?? 0, 20_000);
});

test('asked again, a delivery that waits keeps its slot', async () => {
  const { deliveries, reserve } = await openLine(ledger, 3);
  const [first = '', second = '', third = ''] = deliveries;
  assert.equal(await reserve(first), 0);
  assertNear(await reserve(second), 10_000);
  assertNear(await reserve(second), 10_000);
  assertNear(await reserve(third), 20_000);
  assert.equal(await reserve(first), 0, 'a repeated answer takes no second place');
});

test('behind a 429 those that wait keep their order, and the one that met it is the first (F33)', async () => {
  const { deliveries, reserve, answer429, release } = await openLine(ledger, 4);
  const [met = '', second = '', third = '', late = ''] = deliveries;
  await reserve(met);
  await reserve(second);
  await reserve(third);
  assertNear(await answer429(met, 60_000), 60_000);
  await release(met, 'waits');
  assertNear(await reserve(second), 70_000);
  assertNear(await reserve(third), 80_000);
  assertNear(await reserve(late), 90_000);
  assertNear(await reserve(met), 60_000);
});

test('several that meet the same 429 are one block, and go one after the other (F33)', async () => {
  const { deliveries, reserve, answer429 } = await openLine(ledger, 4);
  for (const id of deliveries) assert.equal(await reserve(id, UNPACED), 0);
  const waits: (number | null)[] = [];
  for (const id of deliveries.slice(0, 3)) waits.push(await answer429(id, 30_000));
  for (const [index, id] of deliveries.slice(0, 3).entries()) assert.ok((await reserve(id, UNPACED)) > 20_000 + index);
  const told = await Promise.all(deliveries.slice(0, 3).map((id) => reserve(id, UNPACED)));
  for (const [index, wait] of told.sort((a, b) => a - b).entries()) assertNear(wait, 30_000 + index * 10_000);
});

test('without pacing nobody waits until the account is blocked; then all take slots behind the block (F33)', async () => {
  const { connectionId, deliveries, reserve } = await openLine(ledger, 4);
  const [first = '', second = '', third = '', look = ''] = deliveries;
  assert.equal(await reserve(first, UNPACED), 0);
  await blockConnection(ledger.db, connectionId, 60_000);
  assertNear(await reserve(second, UNPACED), 60_000);
  assertNear(await reserve(third, UNPACED), 70_000);
  assertNear(await reserve(look, { isPaced: false, isWrite: false }), 80_000);
});

test('a pause that an operator writes into the row moves all that wait, in their order (F33)', async () => {
  const { connectionId, deliveries, reserve } = await openLine(ledger, 4);
  for (const id of deliveries) await reserve(id);
  const blockedUntil = new Date(Date.now() + 300_000);
  await ledger.db.updateTable('connections').set({ blockedUntil }).where('id', '=', connectionId).execute();
  for (const [index, id] of deliveries.slice(1).entries()) assertNear(await reserve(id), 300_000 + index * 10_000);
});

test('as many call at once as the connection has places; each that ends wakes the next (F34)', async () => {
  const { deliveries, reserve, release } = await openLine(ledger, PLACES + 3);
  const waits = await Promise.all(deliveries.map((id) => reserve(id, UNPACED)));
  assert.equal(waits.filter((wait) => wait === 0).length, PLACES);
  const calling = deliveries.filter((_, index) => waits[index] === 0);
  const queued = deliveries.filter((_, index) => waits[index] !== 0);
  const next = await release(calling[0] ?? '');
  assert.equal(next.length, 1);
  assert.equal(next[0]?.afterMs, 0);
  const woken = next[0]?.deliveryId ?? '';
  assert.ok(queued.includes(woken));
  assert.equal(await reserve(woken, UNPACED), 0, 'the place was kept for it');
  const other = queued.find((id) => id !== woken) ?? '';
  assert.ok((await reserve(other, UNPACED)) > 0, 'all places are taken again');
});

test('one that queued for a place when a block came is told its slot', async () => {
  const { deliveries, reserve, release, answer429 } = await openLine(ledger, PLACES + 1);
  for (const id of deliveries) await reserve(id, UNPACED);
  const [met = '', done = ''] = deliveries;
  await answer429(met, 30_000);
  const next = await release(done);
  assert.deepEqual(
    next.map(({ deliveryId }) => deliveryId),
    [deliveries.at(-1)],
  );
  assertNear(next[0]?.afterMs ?? 0, 40_000);
});

test('only the first in line sleep until their slots; a block moves all, and those that end a call tell the next (F33)', async () => {
  const { deliveries, reserve, answer429, release, listWakes } = await openLine(ledger, FRONT + 5);
  for (const id of deliveries) await reserve(id);
  const [met = '', ...others] = deliveries;
  const late = (await listWakes()).filter(({ lateMs }) => lateMs > 1_000);
  assert.equal(late.length, others.length - FRONT, 'the others sleep longer');
  await answer429(met, 60_000);
  const told = await release(met, 'waits');
  assert.deepEqual(
    told.map(({ deliveryId }) => deliveryId),
    others.slice(0, FRONT - 1),
    'the first in line learn where the block has moved them',
  );
  for (const [index, { afterMs }] of told.entries()) assertNear(afterMs, 70_000 + index * 10_000);
  assert.deepEqual(await release(others.at(-1) ?? ''), [], 'they know by now');
});

test('a destination that keeps refusing is asked less and less often, until it answers', async () => {
  const { connectionId, deliveries, reserve, answer429, release } = await openLine(ledger, 1);
  const [only = ''] = deliveries;
  const pass = () =>
    ledger.db
      .updateTable('connections')
      .set({ blockedUntil: null, arrivalAt: new Date(0) })
      .where('id', '=', connectionId)
      .execute();
  const waits: number[] = [];
  for (let round = 0; round < 4; round++) {
    await reserve(only, UNPACED);
    waits.push((await answer429(only, 0)) ?? -1);
    await ledger.db.deleteFrom('rateSlots').where('deliveryId', '=', only).execute();
    await pass();
  }
  assert.ok((waits[0] ?? -1) < 500, 'the first time it is taken at its word');
  for (const [index, expected] of [0, 2_000, 6_000, 18_000].entries()) assertNear(waits[index] ?? -1, expected);
  await reserve(only, UNPACED);
  await release(only, 'answered');
  await reserve(only, UNPACED);
  assertNear(await answer429(only, 0), 0);
});

test('a place of a lost worker is free when its call is certainly over', async () => {
  const { connectionId, deliveries, reserve } = await openLine(ledger, PLACES + 1);
  for (const id of deliveries) await reserve(id, UNPACED);
  const last = deliveries.at(-1) ?? '';
  assert.ok((await reserve(last, UNPACED)) > 0, 'all places are taken');
  const callingUntil = new Date(Date.now() - 1);
  await ledger.db.updateTable('rateSlots').set({ callingUntil }).where('connectionId', '=', connectionId).execute();
  assert.equal(await reserve(last, UNPACED), 0);
});

test('disconnecting frees the slots of the account', async () => {
  const { connectionId, deliveries, reserve } = await openLine(ledger, 3);
  for (const id of deliveries) await reserve(id);
  await ledger.db.deleteFrom('connections').where('id', '=', connectionId).execute();
  const left = await ledger.db
    .selectFrom('rateSlots')
    .select('deliveryId')
    .where('deliveryId', 'in', deliveries)
    .execute();
  assert.deepEqual(left, []);
});

test('the slot of a connection that is gone is now, since the plan will notice', async () => {
  const { deliveries } = await openLine(ledger, 1);
  const pacing = { intervalMs: 10_000, burst: 1 };
  const request = { pacing, isPaced: true, isWrite: true, callMs: 1_000, deliveryId: deliveries[0] ?? '' };
  const gone = await reserveSlot(ledger.db, { ...request, connectionId: '00000000-0000-0000-0000-000000000000' });
  assert.equal(gone.wakeInMs, 0);
});
