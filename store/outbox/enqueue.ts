/**
 * Puts an article or a delivery into the outbox, in the transaction of its change. This guarantees
 * a signal to its workflow after the commit.
 */
import type { Kysely } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import type { DB } from '../db/types.ts';

export async function enqueueArticle(db: Kysely<DB>, articleId: string): Promise<void> {
  await db.insertInto('outbox').values({ articleId }).execute();
}

export async function enqueueDelivery(db: Kysely<DB>, articleId: string, destination: DestinationKey): Promise<void> {
  await db.insertInto('outbox').values({ articleId, destination }).execute();
}
