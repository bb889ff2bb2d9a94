/** Rows of the ledger as a test of the desk wants them. */
import type { Insertable } from 'kysely';
import type { DestinationKey } from '../../../../article/types.ts';
import { provideAccount } from '../../../../store/connections/accounts.ts';
import type { Database } from '../../../../store/db/database.ts';
import type { DB } from '../../../../store/db/types.ts';

export async function addConnection(db: Database, userId: string, destination: DestinationKey, platform = 'forem') {
  const values = {
    userId,
    destination,
    platform,
    baseUrl: `https://${platform}.example`,
    credentialsSealed: Buffer.alloc(1),
  };
  const accountId = await provideAccount(db, { ...values, account: null });
  await db
    .insertInto('connections')
    .values({ accountId, ...values })
    .execute();
}

/** Makes the row, or changes it. `open`: with an attempt, open unless it says otherwise. */
export async function addDelivery(
  db: Database,
  articleId: string,
  destination: DestinationKey,
  values: Partial<Insertable<DB['deliveries']>>,
  open?: Partial<Insertable<DB['deliveryAttempts']>>,
): Promise<string> {
  const connected = await db
    .selectFrom('connections')
    .innerJoin('articles', 'articles.authorId', 'connections.userId')
    .select('connections.accountId')
    .where('articles.id', '=', articleId)
    .where('connections.destination', '=', destination)
    .executeTakeFirst();
  const row = { handledDispatch: 1, accountId: connected?.accountId ?? null, ...values };
  const { id, accountId } = await db
    .insertInto('deliveries')
    .values({ articleId, destination, ...row })
    .onConflict((conflict) => conflict.columns(['articleId', 'destination']).doUpdateSet(row))
    .returning(['id', 'accountId'])
    .executeTakeFirstOrThrow();
  if (open) {
    const attempt = {
      deliveryId: id,
      number: 1,
      accountId: accountId ?? '',
      action: 'create',
      dispatch: 1,
      revision: 1,
      contentHash: 'sent',
      lookUp: '{}',
    } as const;
    await db
      .insertInto('deliveryAttempts')
      .values({ ...attempt, ...open })
      .execute();
  }
  return id;
}
