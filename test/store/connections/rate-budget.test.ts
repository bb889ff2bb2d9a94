/** Tests the reservations and blocks of the rate budget in the database. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { blockConnection } from '../../../store/connections/rate-budget.ts';
import { countRoundTrips } from '../../support/database/count-round-trips.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';
import { waitForLock } from '../../support/database/locks.ts';
import { ahead, assertNear, openBudget } from './budget.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const UNPACED = { isPaced: false };
const BURST = { intervalMs: 10_000, burst: 3 };

test('an account allows a burst at once, then one slot per interval', async () => {
  const { deliveries, reserve, listGaps } = await openBudget(ledger, 8, BURST);
  const waits = (await Promise.all(deliveries.map((id) => reserve(id)))).sort((a, b) => a - b);
  assert.deepEqual(waits.slice(0, 3), [0, 0, 0]);
  for (const [index, wait] of waits.slice(3).entries()) assertNear(wait, (index + 1) * 10_000);
  assert.deepEqual(await listGaps(), [10, 10, 10, 10]);
});

test('a waiting delivery that reserves again gets the same slot, which is shown as its next attempt', async () => {
  const { deliveries, reserve } = await openBudget(ledger, 3);
  const [first = '', second = '', third = ''] = deliveries;
  assert.equal(await reserve(first), 0);
  assertNear(await reserve(second), 10_000);
  assertNear(await reserve(second), 10_000);
  assertNear(await reserve(third), 20_000);
  assertNear(((await ledger.delivery(third)).nextAttemptAt?.getTime() ?? 0) - Date.now(), 20_000);
});

test('after a 429, waiting deliveries retain their order, and the one that got it is the first (F33)', async () => {
  const { deliveries, reserve, answer429, listGaps } = await openBudget(ledger, 4);
  const [met = '', second = '', third = '', late = ''] = deliveries;
  for (const id of [met, second, third]) await reserve(id);
  assertNear(await answer429(met, 60_000), 60_000);
  for (const [index, id] of [met, second, third, late].entries()) {
    assertNear(await reserve(id), 60_000 + index * 10_000);
    const shownMs = (await ledger.delivery(id)).nextAttemptAt?.getTime() ?? 0;
    assertNear(shownMs - Date.now(), 60_000 + index * 10_000);
  }
  assert.deepEqual(await listGaps(), [10, 10, 10]);
});

test('concurrent 429s are one block and one refusal, and their deliveries follow one by one (F33)', async () => {
  const { deliveries, reserve, answer429, listGaps, readConnection } = await openBudget(ledger, 4);
  for (const id of deliveries) assert.equal(await reserve(id, UNPACED), 0);
  const ends = new Set<number>();
  for (const id of deliveries) {
    assertNear(await answer429(id, 30_000), 30_000);
    ends.add((await readConnection()).blockedUntil?.getTime() ?? 0);
  }
  assert.equal(ends.size, 1);
  assert.deepEqual(await listGaps(), [10, 10, 10]);
  assertNear(Math.max(...(await Promise.all(deliveries.map((id) => reserve(id))))), 60_000);
  assert.equal((await readConnection()).refusals, 1);
});

test('concurrent 429s with a tiny Retry-After are one refusal, even if the block ends between them (F33)', async () => {
  const { deliveries, reserve, answer429, readConnection } = await openBudget(ledger, 6);
  for (const id of deliveries) await reserve(id, UNPACED);
  for (const id of deliveries) await answer429(id, 10);
  const { refusals, blockedUntil } = await readConnection();
  assert.equal(refusals, 1);
  assert.ok((blockedUntil?.getTime() ?? 0) - Date.now() < 2_000);
});

test('a 429 can extend an existing block but not shorten it (F33)', async () => {
  const { connectionId, deliveries, reserve, answer429, readConnection } = await openBudget(ledger, 3);
  const [short = '', long = '', late = ''] = deliveries;
  for (const id of deliveries) await reserve(id, UNPACED);
  await answer429(short, 30_000);
  await answer429(long, 120_000);
  assertNear(await answer429(late, 10_000), 120_000);
  await blockConnection(ledger.db, connectionId, 5_000);
  assertNear(((await readConnection()).blockedUntil?.getTime() ?? 0) - Date.now(), 120_000);
});

test('a Retry-After is honoured as it is after any number of refusals (F11)', async () => {
  const { deliveries, reserve, answer429, set } = await openBudget(ledger, 1);
  const [only = ''] = deliveries;
  await set({ refusals: 6 });
  await reserve(only);
  assertNear(await answer429(only, 8_000), 8_000);
});

test('repeated 429s without Retry-After block for increasing times', async () => {
  const { deliveries, reserve, answer429, set } = await openBudget(ledger, 1);
  const [only = ''] = deliveries;
  const waits: (number | null)[] = [];
  for (let n = 0; n < 4; n++) {
    // As if the last block were over and the attempt marked.
    await set({ blockedUntil: ahead(-1_000), arrivalAt: ahead(-1_000) });
    await sql`update deliveries set slot_at = null, slot_connection_id = null where id = ${only}`.execute(ledger.db);
    assert.equal(await reserve(only), 0);
    waits.push(await answer429(only, 0));
  }
  assertNear(waits[0] ?? null, 0);
  assertNear(waits[3] ?? null, 18_000);
});

test('without pacing, deliveries need slots only after a block (F33)', async () => {
  const { connectionId, deliveries, reserve, set } = await openBudget(ledger, 4);
  const [first = '', second = '', third = '', late = ''] = deliveries;
  assert.equal(await reserve(first, UNPACED), 0);
  await blockConnection(ledger.db, connectionId, 60_000);
  assertNear(await reserve(second, UNPACED), 60_000);
  assertNear(await reserve(third, UNPACED), 70_000);
  await set({ blockedUntil: ahead(-1_000) });
  assertNear(await reserve(late, UNPACED), 80_000);
});

test('a block written to the row by an operator moves all waiting deliveries in order (F33)', async () => {
  const { deliveries, reserve, set } = await openBudget(ledger, 4);
  for (const id of deliveries) await reserve(id);
  await set({ blockedUntil: ahead(300_000) });
  for (const [index, id] of deliveries.slice(1).entries()) assertNear(await reserve(id), 300_000 + index * 10_000);
});

test('after a block there is no burst, for waiting or for later deliveries (F33)', async () => {
  const { connectionId, deliveries, reserve } = await openBudget(ledger, 6, BURST);
  const [fourth = '', ...late] = deliveries.slice(3);
  for (const id of deliveries.slice(0, 4)) await reserve(id);
  await blockConnection(ledger.db, connectionId, 60_000);
  for (const [index, id] of [fourth, ...late].entries()) assertNear(await reserve(id), 60_000 + index * 10_000);
});

test('slots missed by all workers are spaced again instead of used at once', async () => {
  const { connectionId, deliveries, reserve } = await openBudget(ledger, 5);
  for (const id of deliveries) await reserve(id);
  const waiting = deliveries.slice(1);
  await sql`update deliveries set slot_at = slot_at - interval '1 hour' where slot_connection_id = ${connectionId}`.execute(
    ledger.db,
  );
  await sql`update connections set arrival_at = clock_timestamp() - interval '1 hour' where id = ${connectionId}`.execute(
    ledger.db,
  );
  for (const [index, id] of waiting.entries()) assertNear(await reserve(id), index * 10_000);
  assertNear(await reserve(deliveries[0] ?? ''), 40_000);
});

test('a slot missed by a moment is still valid', async () => {
  const { deliveries, reserve, set } = await openBudget(ledger, 2);
  const [first = '', second = ''] = deliveries;
  await set({ arrivalAt: ahead(60_000) });
  for (const id of deliveries) assert.ok((await reserve(id)) > 0);
  await sql`update deliveries set slot_at = slot_at - interval '61 seconds' where id in (${first}, ${second})`.execute(
    ledger.db,
  );
  const { trips, answer } = await countRoundTrips(() => reserve(first));
  assert.deepEqual({ trips, answer }, { trips: 1, answer: 0 }, 'what its plan reads, and nothing more');
  assertNear(await reserve(second), 10_000);
});

test('slots and blocks of another account do not apply', async () => {
  const other = await openBudget(ledger, 4);
  for (const id of other.deliveries) await other.reserve(id);
  const { deliveries, reserve, answer429 } = await openBudget(ledger, 2);
  const [first = '', second = ''] = deliveries;
  assert.equal(await reserve(first), 0);
  await other.answer429(other.deliveries[0] ?? '', 300_000);
  assertNear(await reserve(second), 10_000);
  await answer429(first, 60_000);
  assertNear(await other.reserve(other.deliveries[1] ?? ''), 310_000);
  assertNear(await reserve(second), 70_000);
});

test('with the budget of its plan, an immediate call costs at most one round trip, a waiting one two', async () => {
  const { deliveries, read, reserve, listGaps } = await openBudget(ledger, 3);
  const [first = '', second = '', third = ''] = deliveries;
  const seen = await read(first);
  const unpaced = await countRoundTrips(() => reserve(first, { isPaced: false, seen }));
  assert.deepEqual(unpaced, { trips: 0, statements: 0, answer: 0 });
  const { trips, answer } = await countRoundTrips(() => reserve(first, { seen }));
  assert.deepEqual({ trips, answer }, { trips: 1, answer: 0 });
  const now = await read(second);
  const waiting = await countRoundTrips(() => reserve(second, { seen: now }));
  assert.equal(waiting.trips, 2);
  assertNear(waiting.answer, 10_000);
  assertNear(await reserve(third, { seen }), 20_000);
  assert.deepEqual(await listGaps(), [10], 'what was read before others wrote is not acted on');
});

test('a slot is reserved once even if PostgreSQL lost the prepared statements', async () => {
  const { deliveries, reserve, listGaps } = await openBudget(ledger, 5);
  const [first = '', second = '', ...more] = deliveries;
  await reserve(first);
  await reserve(second);
  for (const [index, name] of ['lock_budget', 'read_budget', 'put_slot'].entries()) {
    // On the last used connection, which is used next.
    const { rows } = await sql<{ name: string }>`select name from pg_prepared_statements
      where starts_with(name, ${`${name} `})`.execute(ledger.db);
    assert.ok(rows.length > 0);
    for (const row of rows) await sql`deallocate ${sql.id(row.name)}`.execute(ledger.db);
    assertNear(await reserve(more[index] ?? ''), (index + 2) * 10_000);
  }
  assert.deepEqual(await listGaps(), [10, 10, 10]);
});

/** Locks the account's row until `others` wait for it, then changes it. */
async function meet<Result>(
  connectionId: string,
  others: (() => Promise<Result>)[],
  change: ReturnType<typeof sql>,
): Promise<Result[]> {
  const results: Promise<Result>[] = [];
  await ledger.db.transaction().execute(async (tx) => {
    await sql`select from connections where id = ${connectionId} for update`.execute(tx);
    for (const start of others) results.push(start());
    await waitForLock(ledger.db, others.length);
    await change.execute(tx);
  });
  return Promise.all(results);
}

test('nothing is reserved or blocked for an account that was replaced or disconnected meanwhile', async () => {
  const changes = [
    async (id: string, author: string) =>
      sql`update connections set account_id = ${await ledger.addAccount(author)} where id = ${id}`,
    async (id: string) => sql`delete from connections where id = ${id}`,
  ];
  for (const prepare of changes) {
    const { author, connectionId, deliveries, reserve, answer429 } = await openBudget(ledger, 3);
    const [calling = '', late = '', later = ''] = deliveries;
    await reserve(calling);
    const others = [() => answer429(calling, 60_000), () => reserve(late), () => reserve(later)];
    assert.deepEqual(await meet<number | null>(connectionId, others, await prepare(connectionId, author)), [
      null,
      0,
      0,
    ]);
    const slots = ledger.db.selectFrom('deliveries').select('slotAt').where('id', 'in', deliveries);
    assert.deepEqual(new Set((await slots.execute()).map(({ slotAt }) => slotAt)), new Set([null]));
    const blocked = ledger.db.selectFrom('connections').select('id').where('id', '=', connectionId);
    assert.deepEqual(await blocked.where('blockedUntil', 'is not', null).execute(), []);
  }
});

test('a block during concurrent reservations moves their slots', async () => {
  const { connectionId, deliveries, reserve, listGaps } = await openBudget(ledger, 3);
  const [, second = '', third = ''] = deliveries;
  for (const id of deliveries.slice(0, 2)) await reserve(id);
  const block = sql`update connections set blocked_until = clock_timestamp() + interval '1 minute' where id = ${connectionId}`;
  await meet(connectionId, [() => reserve(second), () => reserve(third)], block);
  assertNear(await reserve(second), 60_000);
  assert.deepEqual(await listGaps(), [10]);
});
