/** The finer rules of the line: what a block counts as, who is told what, and what belongs to other accounts. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql, type Updateable } from 'kysely';
import { blockConnection, FRONT, PLACES } from '../../../store/connections/rate-slots.ts';
import type { DB } from '../../../store/db/types.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';
import { assertNear, openLine } from './line.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const UNPACED = { isPaced: false };
const LOOK = { isPaced: false, isWrite: false };
const BURST = { intervalMs: 10_000, burst: 3 };

const ahead = (ms: number) => new Date(Date.now() + ms);
const readConnection = (id: string) =>
  ledger.db
    .selectFrom('connections')
    .select([
      'refusals',
      sql<number>`extract(epoch from blocked_until - clock_timestamp())::float8 * 1000`.as('leftMs'),
    ])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
const setConnection = (id: string, values: Updateable<DB['connections']>) =>
  ledger.db.updateTable('connections').set(values).where('id', '=', id).execute();
const setSlot = (deliveryId: string, values: Updateable<DB['rateSlots']>) =>
  ledger.db.updateTable('rateSlots').set(values).where('deliveryId', '=', deliveryId).execute();

test('several that meet the same 429 are one refusal, so the next one is not asked for longer (F33)', async () => {
  const { connectionId, deliveries, reserve, answer429 } = await openLine(ledger, 3);
  for (const id of deliveries) await reserve(id, UNPACED);
  for (const id of deliveries) await answer429(id, 30_000);
  assert.equal((await readConnection(connectionId)).refusals, 1);
});

test('nor where the destination names next to no time, so that the block is over before all are refused (F33)', async () => {
  const { connectionId, deliveries, reserve, answer429 } = await openLine(ledger, 6);
  for (const id of deliveries) await reserve(id, UNPACED);
  for (const id of deliveries) await answer429(id, 10);
  const { refusals, leftMs } = await readConnection(connectionId);
  assert.equal(refusals, 1);
  assert.ok(leftMs < 2_000, `blocked for ${leftMs} ms more`);
});

test('a 429 that asks for longer than the block before it lengthens it; one that asks for less does not shorten it (F33)', async () => {
  const { connectionId, deliveries, reserve, answer429 } = await openLine(ledger, 3);
  const [short = '', long = '', late = ''] = deliveries;
  for (const id of deliveries) await reserve(id, UNPACED);
  await answer429(short, 30_000);
  await answer429(long, 120_000);
  assertNear((await readConnection(connectionId)).leftMs, 120_000);
  assertNear(await answer429(late, 10_000), 120_000);
  assertNear((await readConnection(connectionId)).leftMs, 120_000);
  await blockConnection(ledger.db, connectionId, 5_000);
  assertNear((await readConnection(connectionId)).leftMs, 120_000);
});

test('a time that a destination names is taken at its word, however often it has refused (F11)', async () => {
  const { connectionId, deliveries, reserve, answer429 } = await openLine(ledger, 1);
  await setConnection(connectionId, { refusals: 6 });
  await reserve(deliveries[0] ?? '', UNPACED);
  assertNear(await answer429(deliveries[0] ?? '', 8_000), 8_000);
});

test('only an answer ends a row of refusals: a call that was cut does not', async () => {
  const { connectionId, deliveries, reserve, release } = await openLine(ledger, 1);
  const [only = ''] = deliveries;
  await setConnection(connectionId, { refusals: 3 });
  await reserve(only, UNPACED);
  await release(only, 'over');
  assert.equal((await readConnection(connectionId)).refusals, 3);
  await reserve(only, UNPACED);
  await release(only, 'answered');
  assert.equal((await readConnection(connectionId)).refusals, 0);
});

test('behind a block there is no burst, neither for those that waited nor for those that come later (F33)', async () => {
  const { connectionId, deliveries, reserve } = await openLine(ledger, 6, BURST);
  const [first = '', second = '', third = '', fourth = '', ...late] = deliveries;
  for (const id of [first, second, third, fourth]) await reserve(id);
  await blockConnection(ledger.db, connectionId, 60_000);
  const waits: number[] = [];
  for (const id of [fourth, ...late]) waits.push(await reserve(id));
  for (const [index, wait] of waits.entries()) assertNear(wait, 60_000 + index * 10_000);
});

test('a write that is not paced waits behind those that a block has put into the line; a look does not', async () => {
  const { connectionId, deliveries, reserve } = await openLine(ledger, 2);
  await setConnection(connectionId, { arrivalAt: ahead(40_000) });
  const [write = '', look = ''] = deliveries;
  assertNear(await reserve(write, UNPACED), 40_000);
  assert.equal(await reserve(look, LOOK), 0);
});

test('one that is asked a moment before its slot may call; one whose slot was moved there since waits for it', async () => {
  const { connectionId, deliveries, reserve } = await openLine(ledger, 2);
  await setConnection(connectionId, { arrivalAt: ahead(40_000) });
  const [early = '', moved = ''] = deliveries;
  for (const id of deliveries) await reserve(id);
  await setSlot(early, { slotAt: ahead(900), wakesAt: ahead(900) });
  assert.equal(await reserve(early), 0);
  await setSlot(moved, { slotAt: ahead(900), wakesAt: ahead(40_000) });
  assert.ok((await reserve(moved)) > 0);
});

test('a place is kept for the one that was told to take it (F34)', async () => {
  const { deliveries, ask, reserve, release } = await openLine(ledger, PLACES + 2);
  for (const id of deliveries.slice(0, PLACES + 1)) await reserve(id, UNPACED);
  assert.equal((await release(deliveries[0] ?? '')).length, 1);
  const { slotInMs, wakeInMs } = await ask(deliveries.at(-1) ?? '', UNPACED);
  assert.ok(wakeInMs >= 60_000, 'all places are taken, or kept');
  assert.equal(slotInMs, wakeInMs, 'its author sees when it is asked for again');
});

test('one whose slot has come and who did not call is told again, and takes one place (F34)', async () => {
  const { connectionId, deliveries, reserve, release } = await openLine(ledger, 3);
  await setConnection(connectionId, { arrivalAt: ahead(40_000) });
  const [calling = '', lost = '', coming = ''] = deliveries;
  assert.equal(await reserve(calling, LOOK), 0);
  for (const id of [lost, coming]) await reserve(id);
  await setSlot(lost, { slotAt: ahead(-15_000), wakesAt: ahead(-15_000) });
  await setSlot(coming, { slotAt: ahead(-2_000), wakesAt: ahead(-2_000) });
  const told = await release(calling);
  assert.deepEqual(
    told.map(({ deliveryId, afterMs }) => [deliveryId, afterMs]),
    [[lost, 0]],
    'the other one is on its way by itself',
  );
});

test('one that lost its worker in its call waits like all others, and is moved and told with them', async () => {
  const { deliveries, reserve, answer429, release } = await openLine(ledger, 3);
  const [lost = '', met = '', done = ''] = deliveries;
  for (const id of deliveries) await reserve(id, UNPACED);
  await setSlot(lost, { slotAt: ahead(-90_000), wakesAt: ahead(-90_000), callingUntil: ahead(-1_000) });
  await answer429(met, 60_000);
  const told = await release(done);
  assert.deepEqual(
    told.map(({ deliveryId }) => deliveryId),
    [lost],
  );
  assertNear(told[0]?.afterMs ?? 0, 60_000);
});

test('of those that call only the one that met the 429 is moved (F33)', async () => {
  const { deliveries, reserve, answer429, release } = await openLine(ledger, 2);
  const [met = '', calling = ''] = deliveries;
  for (const id of deliveries) await reserve(id, UNPACED);
  await answer429(met, 60_000);
  assert.deepEqual(await release(met, 'waits'), []);
  const { rows } = await sql<{ isMoved: boolean }>`select slot_at > clock_timestamp() as is_moved from rate_slots
    where delivery_id = ${calling}`.execute(ledger.db);
  assert.deepEqual(rows, [{ isMoved: false }]);
});

test('authors see when those that wait are sent by now; who showed no time shows none (F33)', async () => {
  const { deliveries, reserve, answer429 } = await openLine(ledger, 3);
  const [met = '', shown = '', silent = ''] = deliveries;
  for (const id of deliveries) await reserve(id);
  await ledger.db
    .updateTable('deliveries')
    .set({ nextAttemptAt: ahead(1_000) })
    .where('id', '=', shown)
    .execute();
  await answer429(met, 60_000);
  assertNear(((await ledger.delivery(shown)).nextAttemptAt?.getTime() ?? 0) - Date.now(), 70_000);
  assert.equal((await ledger.delivery(silent)).nextAttemptAt, null);
});

test('the longer the line, the later those look that nobody tells: each place may be held for a whole call', async () => {
  const { connectionId, deliveries, ask } = await openLine(ledger, PLACES + 1);
  await setConnection(connectionId, { arrivalAt: ahead(1_000) });
  const wakes: number[] = [];
  for (const id of deliveries) wakes.push((await ask(id)).wakeInMs);
  assertNear(wakes[FRONT - 1] ?? 0, (FRONT - 1) * 10_000);
  assertNear(wakes[FRONT] ?? 0, 2 * FRONT * 10_000 + 60_000);
  assertNear(wakes[PLACES] ?? 0, 2 * PLACES * 10_000 + 120_000);
});

test('neither the line nor the calls nor the pause of another account counts', async () => {
  const other = await openLine(ledger, PLACES + FRONT + 1);
  for (const id of other.deliveries) await other.reserve(id, UNPACED);
  const { connectionId, deliveries, ask, reserve, answer429, release } = await openLine(ledger, 3);
  const [first = '', second = '', third = ''] = deliveries;
  assert.equal(await reserve(first), 0);
  const { slotInMs, wakeInMs } = await ask(second);
  assert.equal(wakeInMs, slotInMs);
  await other.answer429(other.deliveries[0] ?? '', 300_000);
  assertNear(await reserve(second), 10_000);
  await reserve(third);
  await answer429(first, 60_000);
  const told = await release(first, 'waits');
  assert.deepEqual(
    told.map(({ deliveryId }) => deliveryId),
    [second, third],
  );
  assertNear(told[0]?.afterMs ?? 0, 70_000);
  assertNear((await readConnection(connectionId)).leftMs, 60_000);
});
