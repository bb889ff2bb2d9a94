/** A 429 whose workflow was away when it came: the next plan finds the answer in the row, and the delivery keeps its place behind what is left of the pause. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client, type Connection } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { sql } from 'kysely';
import { createDeliveryActivities } from '../../activities/delivery/index.ts';
import type { ActivityDeps } from '../../activities/deps.ts';
import type { PlannedStepOnWire } from '../../delivery/wire.ts';
import { findDestination } from '../../destinations/registry.ts';
import { connectToTemporal } from '../support/connect-temporal.ts';
import { openTestLedger, type TestLedger } from '../support/ledger.ts';

let ledger: TestLedger;
let connection: Connection;
before(async () => {
  ledger = await openTestLedger();
  connection = await connectToTemporal();
});
after(async () => {
  await connection.close();
  await ledger.close();
});

const MINUTE_MS = 60_000;

interface Answered {
  /** What the 429 asked for. */
  retryAfterMs: number | null;
  agoMs: number;
  /** 429s in a row, with this one. */
  refusals?: number;
  /** False where its place went, since its workflow was gone. */
  hasPlace?: boolean;
}

async function answer429({ retryAfterMs, agoMs, refusals = 1, hasPlace = true }: Answered) {
  const { db } = ledger;
  const author = await ledger.addAuthor();
  const connectionId = await ledger.addConnection(author, 'blogsite_a', { refusals });
  const articleId = await ledger.addArticle(author, { dispatch: 1 });
  const answeredAt = new Date(Date.now() - agoMs);
  const deliveryId = await ledger.addDelivery(
    articleId,
    { connectionId, state: 'delivering' },
    {
      answer: JSON.stringify({ kind: 'rateLimited', retryAfterMs, reason: 'Too many.' }),
      startedAt: answeredAt,
      answeredAt,
    },
  );
  if (hasPlace) {
    const callingUntil = new Date(Date.now() + MINUTE_MS);
    const slot = { connectionId, deliveryId, slotAt: answeredAt, wakesAt: answeredAt, callingUntil };
    await db.insertInto('rateSlots').values(slot).execute();
  }
  return {
    plan: async () => {
      const planned = await plan(articleId);
      assert.ok(planned.kind === 'resolve' && planned.answer.kind === 'rateLimited', planned.kind);
      return planned.answer;
    },
    readLine: async () => {
      const { rows } = await sql<{ slotInMs: number; isCalling: boolean; blockedForMs: number }>`
        select (extract(epoch from s.slot_at - clock_timestamp()) * 1000)::float8 as slot_in_ms, s.calling_until is not null as is_calling,
          greatest(0, coalesce(extract(epoch from c.blocked_until - clock_timestamp()) * 1000, 0))::float8 as blocked_for_ms
        from connections c left join rate_slots s on s.connection_id = c.id where c.id = ${connectionId}`.execute(db);
      const [row] = rows;
      assert.ok(row);
      return row;
    },
  };
}

function plan(articleId: string): Promise<PlannedStepOnWire> {
  const deps = {
    db: ledger.db,
    actors: { client: new Client({ connection }), taskQueue: 'nobody' },
    baseUrl: 'https://courant.example',
    findDestination,
    pacing: true,
    httpTimeoutMs: 15_000,
    lateArrivalMs: 90_000,
    now: () => new Date(),
  };
  const { planStep } = createDeliveryActivities(deps as unknown as ActivityDeps);
  const input = { articleId, destination: 'blogsite_a', hasTurn: false } as const;
  return new MockActivityEnvironment().run((given: typeof input) => planStep(given), input);
}

function assertNear(actual: number | null | undefined, expected: number): void {
  assert.ok(
    typeof actual === 'number' && Math.abs(actual - expected) < 10_000,
    `${actual}, expected about ${expected}`,
  );
}

test('the account is blocked for what is left of the pause, and the delivery waits first behind it, however often it is planned (F11)', async () => {
  const { plan: planAgain, readLine } = await answer429({ retryAfterMs: 10 * MINUTE_MS, agoMs: 4 * MINUTE_MS });
  for (let again = 0; again < 2; again++) {
    const { retryAfterMs, isBlocked } = await planAgain();
    assert.equal(isBlocked, true);
    assertNear(retryAfterMs, 6 * MINUTE_MS);
    const { slotInMs, isCalling, blockedForMs } = await readLine();
    assertNear(slotInMs, 6 * MINUTE_MS);
    assertNear(blockedForMs, 6 * MINUTE_MS);
    assert.equal(isCalling, false, 'its call is over');
  }
});

test('a 429 that named no time is a pause of a minute from its answer on (F11)', async () => {
  const { plan: planOnce } = await answer429({ retryAfterMs: null, agoMs: 20_000 });
  assertNear((await planOnce()).retryAfterMs, 40_000);
});

test('a pause that is over is not waited for again, whatever was refused before (F11)', async () => {
  const { plan: planOnce, readLine } = await answer429({ retryAfterMs: 10_000, agoMs: 5 * MINUTE_MS, refusals: 6 });
  const { retryAfterMs } = await planOnce();
  assertNear(retryAfterMs, 0);
  assert.equal((await readLine()).blockedForMs, 0);
});

test('without its place in the line it waits for what is left of the pause too (F11)', async () => {
  const { plan: planOnce } = await answer429({ retryAfterMs: 10 * MINUTE_MS, agoMs: 4 * MINUTE_MS, hasPlace: false });
  const { retryAfterMs, isBlocked = false } = await planOnce();
  assert.equal(isBlocked, false, 'the workflow blocks the account');
  assertNear(retryAfterMs, 6 * MINUTE_MS);
});
