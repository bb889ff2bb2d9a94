/** A line at an account: what its deliveries do, and a look at its rows. */
import assert from 'node:assert/strict';
import type { Pacing } from '../../../store/connections/account-pace.ts';
import { reserveSlot } from '../../../store/connections/rate-slots.ts';
import { blockAndKeepSlot } from '../../../store/connections/refused-slot.ts';
import { type CallEnd, releaseSlot } from '../../../store/connections/release-slot.ts';
import type { TestLedger } from '../../support/ledger.ts';

const PACING: Pacing = { intervalMs: 10_000, burst: 1 };

interface Asked {
  isPaced?: boolean;
  isWrite?: boolean;
}

/** An account with so many deliveries, and what they do. */
export async function openLine(ledger: TestLedger, size: number, pacing = PACING) {
  const { db } = ledger;
  const author = await ledger.addAuthor();
  const connectionId = await ledger.addConnection(author);
  const deliveries: string[] = [];
  for (let index = 0; index < size; index++) {
    deliveries.push(await ledger.addDelivery(await ledger.addArticle(author), { connectionId }));
  }
  const askedAt = new Map<string, number>();
  const ask = (deliveryId: string, more: Asked = {}) => {
    askedAt.set(deliveryId, performance.now());
    const common = { pacing, isPaced: true, isWrite: true, callMs: 60_000 };
    return reserveSlot(db, { deliveryId, connectionId, ...common, ...more });
  };
  return {
    connectionId,
    deliveries,
    ask,
    reserve: async (deliveryId: string, more: Asked = {}) => (await ask(deliveryId, more)).slotInMs,
    release: (deliveryId: string, end: CallEnd = 'over') =>
      releaseSlot(db, deliveryId, { end, findPacing: () => pacing }),
    /** How much later than its slot each that waits looks again. */
    async listWakes() {
      const rows = ledger.db.selectFrom('rateSlots').select(['slotAt', 'wakesAt', 'callingUntil']);
      const waiting = (await rows.where('connectionId', '=', connectionId).execute()).filter(
        (row) => !row.callingUntil,
      );
      return waiting.map(({ slotAt, wakesAt }) => ({ lateMs: wakesAt.getTime() - slotAt.getTime() }));
    },
    /** Its call began when it last asked for its slot. */
    answer429(deliveryId: string, forMs: number) {
      const calledForMs = performance.now() - (askedAt.get(deliveryId) ?? 0);
      return blockAndKeepSlot(db, deliveryId, { forMs, answeredForMs: 0, calledForMs, pacing });
    },
  };
}

export function assertNear(actual: number | null, expected: number): void {
  assert.ok(actual !== null && Math.abs(actual - expected) < 5_000, `${actual}, expected about ${expected}`);
}
