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

export async function findState(db: Database, articleId: string, destination: DestinationKey = 'blogsite_a') {
  const row = await db
    .selectFrom('deliveries')
    .selectAll()
    .where('articleId', '=', articleId)
    .where('destination', '=', destination)
    .executeTakeFirstOrThrow();
  return row;
}

/** A public one, with a number in its title. */
export async function addArticle(db: Database, authorId: string, n: number, createdAt: Date): Promise<string> {
  const slug = `numbered-${authorId.slice(0, 8)}-${n}`;
  const row = {
    authorId,
    slug,
    title: `Numbered ${n}`,
    titleKey: slug,
    canonicalKey: `self:${slug}`,
    tags: ['numbered'],
  };
  const text = {
    source: '',
    body: 'Words.',
    derived: '{}',
    fingerprint: Buffer.alloc(32),
    contentHash: '',
    crossPost: '{}',
  };
  const { id } = await db
    .insertInto('articles')
    .values({ ...row, ...text, status: 'PUBLISHED', publishedAt: createdAt, createdAt })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
