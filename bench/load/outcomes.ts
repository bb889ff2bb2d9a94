/** Counts the outcomes of deliveries in the sandbox and in the database. */
import type { Database } from '../../store/db/database.ts';

export interface Outcomes {
  /** Posts that the sandbox created. */
  posts: number;
  /** Deliveries with the state `delivered`. */
  delivered: number;
  /** Deliveries without an outcome. */
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
