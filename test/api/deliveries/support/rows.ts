/** Inserts deliveries, copies, attempts and articles for tests of the desk. */
import type { Insertable } from 'kysely';
import type { DestinationKey } from '../../../../article/types.ts';
import { PLATFORMS_BY_KEY } from '../../../../destinations/platforms.ts';
import { findOrCreateAccount } from '../../../../store/connections/accounts.ts';
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
  const accountId = await findOrCreateAccount(db, { ...values, account: { identity: userId, name: null } });
  await db
    .insertInto('connections')
    .values({ accountId, ...values })
    .execute();
}

export interface DeliveryRows extends Partial<Insertable<DB['deliveries']>> {
  /** Default: live and of revision 1. */
  copy?: Partial<Insertable<DB['copies']>>;
  /** The last attempt. Without an outcome it is open. */
  attempt?: Partial<Insertable<DB['deliveryAttempts']>>;
}

export const failed = (code: string, reason: string): DeliveryRows => ({
  attempt: { outcome: 'failed', code, reason },
});

/** A create attempt without an answer. */
export const unknown = (reason: string): DeliveryRows => ({
  attempt: { code: 'outcome_unknown', reason, unknownDispatch: 1 },
});

/** Replaces a delivery, its copy and attempts. Default: the dispatch is handled. Returns its id. */
export async function addDelivery(
  db: Database,
  articleId: string,
  destination: DestinationKey,
  { copy, attempt, ...intent }: DeliveryRows,
): Promise<string> {
  const values = {
    handledDispatch: 1,
    skippedDispatch: 0,
    withdrawRequested: false,
    overwrite: false,
    dueAt: null,
    ...intent,
  };
  const { id } = await db
    .insertInto('deliveries')
    .values({ articleId, destination, ...values })
    .onConflict((conflict) => conflict.columns(['articleId', 'destination']).doUpdateSet(values))
    .returning('id')
    .executeTakeFirstOrThrow();
  const accountId = await findOrAddAccount(db, articleId, destination);
  await db.deleteFrom('deliveryAttempts').where('deliveryId', '=', id).execute();
  await db.deleteFrom('copies').where('articleId', '=', articleId).where('accountId', '=', accountId).execute();
  const isOpen = attempt !== undefined && attempt.outcome === undefined;
  // With an attempt, the content of the copy is unknown until the answer is recorded.
  const live = {
    presence: 'live',
    remoteId: `r-${articleId}`,
    contentHash: attempt ? null : 'sent',
    revision: 1,
  } as const;
  const made = copy ? { ...live, ...copy } : isOpen ? ({ presence: 'uncertain' } as const) : null;
  const added = made
    ? await db
        .insertInto('copies')
        .values({ articleId, accountId, ...made })
        .returning('id')
        .executeTakeFirstOrThrow()
    : null;
  if (attempt) {
    const sent = { action: 'create', dispatch: 1, revision: 1, contentHash: 'sent', lookUp: '{}' } as const;
    const ended = attempt.outcome ? { endedAt: new Date() } : {};
    await db
      .insertInto('deliveryAttempts')
      .values({ deliveryId: id, accountId, copyId: added?.id ?? null, ...sent, ...ended, ...attempt })
      .execute();
  }
  return id;
}

async function findOrAddAccount(db: Database, articleId: string, destination: DestinationKey): Promise<string> {
  const { accountId, authorId } = await db
    .selectFrom('deliveryStates')
    .select(['accountId', 'authorId'])
    .where('articleId', '=', articleId)
    .where('destination', '=', destination)
    .executeTakeFirstOrThrow();
  if (accountId) return accountId;
  const platform = PLATFORMS_BY_KEY[destination][0] ?? '';
  const added = await db
    .insertInto('accounts')
    .values({ userId: authorId, destination, platform, identity: destination, connectedAt: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow();
  return added.id;
}

export function findState(db: Database, articleId: string, destination: DestinationKey = 'blogsite_a') {
  return db
    .selectFrom('deliveryStates')
    .selectAll()
    .where('articleId', '=', articleId)
    .where('destination', '=', destination)
    .executeTakeFirstOrThrow();
}

/** Inserts a public article with a number in its title. */
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
