/** Those who take and give back slots of one account at the same moment: each waits for its lock, and acts on what is there when it has it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { FRONT, PLACES } from '../../../store/connections/rate-slots.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';
import { waitForLock } from '../../support/locks.ts';
import { runs } from '../../support/property-runs.ts';
import { assertNear, openLine } from './line.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const UNPACED = { isPaced: false };

/** Holds the account while `start` brings others to wait for it; `change` is what its holder does then. Returns what the others return. */
async function meet<Result>(
  connectionId: string,
  starts: (() => Promise<Result>)[],
  change: ReturnType<typeof sql> = sql`select 1`,
): Promise<Result[]> {
  const results: Promise<Result>[] = [];
  await ledger.db.transaction().execute(async (tx) => {
    await sql`select from connections where id = ${connectionId} for update`.execute(tx);
    for (const start of starts) {
      results.push(start());
      await waitForLock(ledger.db, results.length);
    }
    await change.execute(tx);
  });
  return Promise.all(results);
}

const listIds = (told: { deliveryId: string }[]) => told.map(({ deliveryId }) => deliveryId);
const countCalling = async (connectionId: string) => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from rate_slots
    where connection_id = ${connectionId} and calling_until > clock_timestamp()`.execute(ledger.db);
  return rows[0]?.count;
};

/** All places are taken, and one delivery waits for one. */
async function openFullLine() {
  const line = await openLine(ledger, PLACES + 1);
  for (const id of line.deliveries) await line.ask(id, UNPACED);
  return { ...line, calling: line.deliveries[0] ?? '', waiting: line.deliveries.at(-1) ?? '' };
}

test('two that end the same call tell the next one once', async () => {
  const { connectionId, calling, waiting, release } = await openFullLine();
  const told = await meet(connectionId, [() => release(calling), () => release(calling, 'answered')]);
  assert.deepEqual(told.flatMap(listIds), [waiting]);
  assert.equal(await countCalling(connectionId), PLACES);
});

test('one whose slot goes while its release waits tells the next all the same', async () => {
  const { connectionId, calling, waiting, release } = await openFullLine();
  const gone = sql`delete from rate_slots where delivery_id = ${calling}`;
  const [told = []] = await meet(connectionId, [() => release(calling)], gone);
  assert.deepEqual(listIds(told), [waiting]);
});

test('one whose slot moves to another line while its release waits tells those of the line in which it was', async () => {
  const { connectionId, calling, waiting, release } = await openFullLine();
  const other = await openFullLine();
  const moved = sql`update rate_slots set connection_id = ${other.connectionId} where delivery_id = ${calling}`;
  const [told = []] = await meet(connectionId, [() => release(calling)], moved);
  assert.deepEqual(listIds(told), [waiting]);
});

for (const isFirst of [true, false]) {
  test(`a place that is given back ${isFirst ? 'just before' : 'just after'} another asks for one goes to that one`, async () => {
    const { connectionId, deliveries, ask, release } = await openLine(ledger, PLACES + 1);
    for (const id of deliveries.slice(0, PLACES)) await ask(id, UNPACED);
    const [calling = '', late = ''] = [deliveries[0], deliveries.at(-1)];
    const toldIds: string[] = [];
    const waits: number[] = [];
    const end = async () => void toldIds.push(...listIds(await release(calling)));
    const begin = async () => void waits.push((await ask(late, UNPACED)).wakeInMs);
    await meet(connectionId, isFirst ? [end, begin] : [begin, end]);
    const wasTold = toldIds.includes(late);
    assert.equal(wasTold, (waits[0] ?? 0) > 0, 'told if it has to wait, and only then');
    assert.equal(await countCalling(connectionId), PLACES);
  });
}

test('a block that is imposed while a release waits moves the line before the next are told', async () => {
  const { connectionId, deliveries, reserve, release } = await openLine(ledger, 3);
  const [calling = '', ...others] = deliveries;
  for (const id of deliveries) await reserve(id);
  const block = sql`update connections set blocked_until = clock_timestamp() + interval '1 minute' where id = ${connectionId}`;
  const [told = []] = await meet(connectionId, [() => release(calling)], block);
  assert.deepEqual(listIds(told), others);
  for (const [index, { afterMs }] of told.entries()) assertNear(afterMs, 60_000 + index * 10_000);
});

test('those that wait for an account that is disconnected meanwhile write nothing', async () => {
  const { connectionId, deliveries, ask, release, answer429 } = await openLine(ledger, 4);
  const [calling = '', met = '', asking = '', late = ''] = deliveries;
  for (const id of [calling, met, asking]) await ask(id, UNPACED);
  const results = await meet<unknown>(
    connectionId,
    [() => release(calling), () => answer429(met, 60_000), () => ask(asking, UNPACED), () => ask(late, UNPACED)],
    sql`delete from connections where id = ${connectionId}`,
  );
  const now = { slotInMs: 0, wakeInMs: 0 };
  assert.deepEqual(results, [[], null, now, now]);
  const left = ledger.db.selectFrom('rateSlots').select('deliveryId').where('deliveryId', 'in', deliveries);
  assert.deepEqual(await left.execute(), []);
});

test('a 429 whose slot left the line while it waited blocks neither the account that is there now nor another', async () => {
  const other = await openLine(ledger, 1);
  const changes = [
    sql`delete from rate_slots where delivery_id =`,
    sql`update rate_slots set connection_id = ${other.connectionId} where delivery_id =`,
  ];
  for (const change of changes) {
    const { connectionId, deliveries, ask, answer429 } = await openLine(ledger, 1);
    const [met = ''] = deliveries;
    await ask(met, UNPACED);
    assert.deepEqual(await meet(connectionId, [() => answer429(met, 60_000)], sql`${change} ${met}`), [null]);
    const blocked = ledger.db.selectFrom('connections').select('id').where('blockedUntil', 'is not', null);
    assert.deepEqual(await blocked.where('id', 'in', [connectionId, other.connectionId]).execute(), []);
  }
});

test('slots that are asked for at once are an interval apart, and no two are the same', async () => {
  const { connectionId, deliveries, ask } = await openLine(ledger, FRONT * 4);
  await Promise.all(deliveries.map((id) => ask(id)));
  const { rows } = await sql<{ apartMs: number | null }>`
    select (extract(epoch from slot_at - lag(slot_at) over (order by slot_at)) * 1000)::float8 as apart_ms
    from rate_slots where connection_id = ${connectionId} order by slot_at`.execute(ledger.db);
  assert.deepEqual(
    rows.slice(1).map(({ apartMs }) => Math.round(apartMs ?? 0)),
    Array(deliveries.length - 1).fill(10_000),
  );
});

test('of a crowd no more call at once than there are places, and whoever waits is told: nobody wakes by itself', async () => {
  for (let run = 0; run < runs(2); run++) {
    const { connectionId, deliveries, ask, release } = await openLine(ledger, 3 * PLACES + 2);
    const served = new Set<string>();
    let calling = 0;
    const serve = async (deliveryId: string): Promise<void> => {
      if ((await ask(deliveryId, UNPACED)).wakeInMs > 0) return;
      calling += 1;
      assert.ok(calling <= PLACES, `${calling} call at once`);
      await sleep(Math.random() * 5);
      served.add(deliveryId);
      // Its place is given back somewhere within the release: counted before, so that the next may have it by then.
      calling -= 1;
      const told = await release(deliveryId, Math.random() < 0.5 ? 'answered' : 'over');
      for (const { afterMs } of told) assert.equal(afterMs, 0);
      await Promise.all(listIds(told).map(serve));
    };
    await Promise.all(deliveries.map(serve));
    assert.equal(served.size, deliveries.length);
    assert.equal(await countCalling(connectionId), 0);
  }
});
