/** What came of the deliveries, at both ends. */
import type { Database } from '../../store/db/database.ts';

export interface Outcomes {
  /** Posts that the sandbox made. */
  posts: number;
  /** Deliveries that the ledger calls delivered. */
  delivered: number;
  /** Deliveries without an outcome so far. */
  waiting: number;
}

export async function countOutcomes(db: Database, sandboxUrl: string): Promise<Outcomes> {
  const log = (await (await fetch(`${sandboxUrl}/log`)).json()) as { outcome?: string; action?: string }[];
  const rows = await db.selectFrom('deliveryStates').select('state').where('deliveryId', 'is not', null).execute();
  const delivered = rows.filter(({ state }) => state === 'delivered').length;
  return {
    posts: log.filter(({ action }) => action === 'create').length,
    delivered,
    waiting: rows.length - delivered,
  };
}
