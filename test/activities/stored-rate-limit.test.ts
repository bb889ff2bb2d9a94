/**
 * Tests a stored 429 that the workflow never received: the next plan blocks the account from the
 * row.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MockActivityEnvironment } from '@temporalio/testing';
import { sql } from 'kysely';
import { createDeliveryActivities } from '../../activities/delivery/index.ts';
import type { ActivityDeps } from '../../activities/deps.ts';
import type { PlannedStep } from '../../delivery/activity-messages.ts';
import { NO_FAILURES } from '../../delivery/retry-state.ts';
import { findDestination } from '../../destinations/clients.ts';
import { openTestLedger, type TestLedger } from '../support/database/ledger.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(async () => {
  await ledger.close();
});

const MINUTE_MS = 60_000;

interface Answered {
  /** The `Retry-After` of the 429. */
  retryAfterMs: number | null;
  agoMs: number;
  /** Consecutive 429s, including this one. */
  refusals?: number;
}

async function answer429({ retryAfterMs, agoMs, refusals = 1 }: Answered) {
  const { db } = ledger;
  const author = await ledger.addAuthor();
  const connectionId = await ledger.addConnection(author, 'blogsite_a', { refusals });
  const articleId = await ledger.addArticle(author, { dispatch: 1 });
  const answeredAt = new Date(Date.now() - agoMs);
  const answer = JSON.stringify({ kind: 'rateLimited', retryAfterMs, reason: 'Too many.' });
  const attempts = [{ answer, startedAt: answeredAt, answeredAt }];
  await ledger.addDelivery(articleId, { dueAt: new Date(), attempts });
  return {
    planLater: async () => plan(await ledger.addArticle(author, { dispatch: 1 })),
    plan: async () => {
      const planned = await plan(articleId);
      assert.ok(planned.kind === 'step');
      const { step } = planned;
      assert.ok(step.kind === 'conclude' && step.answer.kind === 'rateLimited', step.kind);
      return step.answer;
    },
    readSlot: async () => {
      const { rows } = await sql<{ slotInMs: number; blockedForMs: number }>`
        select (extract(epoch from d.slot_at - clock_timestamp()) * 1000)::float8 as slot_in_ms,
          greatest(0, coalesce(extract(epoch from c.blocked_until - clock_timestamp()) * 1000, 0))::float8 as blocked_for_ms
        from connections c left join deliveries d on d.slot_connection_id = c.id where c.id = ${connectionId}`.execute(
        db,
      );
      const [row] = rows;
      assert.ok(row);
      return row;
    },
  };
}

function plan(articleId: string): Promise<PlannedStep> {
  const deps = {
    db: ledger.db,
    baseUrl: 'https://courant.example',
    findDestination,
    pacing: true,
    httpTimeoutMs: 15_000,
    lateArrivalMs: 90_000,
    now: () => new Date(),
  };
  const { planStep } = createDeliveryActivities(deps as unknown as ActivityDeps);
  const input = { articleId, destination: 'blogsite_a', retry: NO_FAILURES } as const;
  return new MockActivityEnvironment().run((planInput: typeof input) => planStep(planInput), input);
}

function assertNear(actual: number | null | undefined, expected: number): void {
  assert.ok(
    typeof actual === 'number' && Math.abs(actual - expected) < 10_000,
    `${actual}, expected about ${expected}`,
  );
}

test('a stored 429 blocks the account for the rest of its pause, and its delivery is the first after it, on every plan (F7, F11)', async () => {
  const {
    plan: planAgain,
    planLater,
    readSlot,
  } = await answer429({
    retryAfterMs: 10 * MINUTE_MS,
    agoMs: 4 * MINUTE_MS,
  });
  for (let again = 0; again < 2; again++) {
    const { retryAfterMs, isBlocked } = await planAgain();
    assert.equal(isBlocked, true);
    assertNear(retryAfterMs, 6 * MINUTE_MS);
    const { slotInMs, blockedForMs } = await readSlot();
    assertNear(slotInMs, 6 * MINUTE_MS);
    assertNear(blockedForMs, 6 * MINUTE_MS);
  }
  const later = await planLater();
  assert.ok(later.kind === 'step' && later.slotInMs > (await readSlot()).slotInMs);
});

test('a 429 without Retry-After blocks the account for a minute from its answer (F11)', async () => {
  const { plan: planOnce } = await answer429({ retryAfterMs: null, agoMs: 20_000 });
  assertNear((await planOnce()).retryAfterMs, 40_000);
});

test('an elapsed pause does not block the account again, even after earlier refusals (F11)', async () => {
  const { plan: planOnce, readSlot } = await answer429({ retryAfterMs: 10_000, agoMs: 5 * MINUTE_MS, refusals: 6 });
  const { retryAfterMs } = await planOnce();
  assertNear(retryAfterMs, 0);
  assert.equal((await readSlot()).blockedForMs, 0);
});
