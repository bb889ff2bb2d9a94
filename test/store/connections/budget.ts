/** Sets up an account with deliveries that share its rate budget. */
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import {
  blockAndReserve,
  type Pacing,
  RATE_BUDGET,
  type RateBudget,
  reserveSlot,
} from '../../../store/connections/rate-budget.ts';
import type { TestLedger } from '../../support/database/ledger.ts';

const PACING: Pacing = { intervalMs: 10_000, burst: 1 };

interface Asked {
  isPaced?: boolean;
  /** The budget that the plan read; read now if missing. */
  seen?: RateBudget;
}

export async function openBudget(ledger: TestLedger, size: number, pacing = PACING) {
  const { db } = ledger;
  const author = await ledger.addAuthor();
  const connectionId = await ledger.addConnection(author);
  const connections = db.selectFrom('connections').selectAll().where('id', '=', connectionId);
  const { accountId } = await connections.executeTakeFirstOrThrow();
  const deliveries: string[] = [];
  for (let index = 0; index < size; index++) deliveries.push(await ledger.addDelivery(await ledger.addArticle(author)));
  const checkedAt = new Map<string, number>();
  const read = async (deliveryId: string): Promise<RateBudget> => {
    const rows = db
      .selectFrom('deliveries')
      .innerJoin('connections', (join) => join.on('connections.id', '=', connectionId));
    const row = rows.select(RATE_BUDGET.as('budget')).where('deliveries.id', '=', deliveryId);
    return (await row.executeTakeFirstOrThrow()).budget;
  };
  return {
    author,
    connectionId,
    accountId,
    deliveries,
    read,
    readConnection: () => connections.executeTakeFirstOrThrow(),
    set: (values: { arrivalAt?: Date; blockedUntil?: Date; refusals?: number }) =>
      db.updateTable('connections').set(values).where('id', '=', connectionId).execute(),
    async reserve(deliveryId: string, { isPaced = true, seen }: Asked = {}) {
      checkedAt.set(deliveryId, performance.now());
      const request = { deliveryId, connectionId, accountId, pacing, isPaced };
      return reserveSlot(db, request, seen ?? (await read(deliveryId)));
    },
    /** Its call started at its last slot request. */
    answer429(deliveryId: string, forMs: number) {
      const calledMsAgo = performance.now() - (checkedAt.get(deliveryId) ?? 0);
      return blockAndReserve(
        db,
        { deliveryId, connectionId, accountId },
        { forMs, answeredMsAgo: 0, calledMsAgo, pacing },
      );
    },
    /** The intervals between the slots, in whole seconds. */
    async listGaps(): Promise<number[]> {
      const { rows } = await sql<{ gap: number }>`
        select extract(epoch from slot_at - lag(slot_at) over (order by slot_at))::float8 as gap
        from deliveries where slot_connection_id = ${connectionId} order by slot_at`.execute(db);
      return rows.slice(1).map(({ gap }) => Math.round(gap * 1_000) / 1_000);
    },
  };
}

export function assertNear(actual: number | null, expected: number): void {
  assert.ok(actual !== null && Math.abs(actual - expected) < 5_000, `${actual}, expected about ${expected}`);
}

export const ahead = (ms: number) => new Date(Date.now() + ms);
