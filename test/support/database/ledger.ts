/** Inserts delivery rows into a separate database, without workflows that change them. */
import type { Insertable, Selectable } from 'kysely';
import { DESTINATION_KEYS, type DestinationKey } from '../../../article/types.ts';
import { findOrCreateAccount } from '../../../store/connections/accounts.ts';
import type { Database } from '../../../store/db/database.ts';
import type { DB } from '../../../store/db/types.ts';
import { createUser } from '../../../store/users/create-user.ts';
import { openTestDatabase } from '../environment.ts';

export interface TestLedger {
  db: Database;
  addAuthor(): Promise<string>;
  addConnection(
    userId: string,
    destination?: DestinationKey,
    more?: Partial<Insertable<DB['connections']>>,
  ): Promise<string>;
  /** Adds an account that is not the connected one. */
  addAccount(userId: string): Promise<string>;
  addArticle(authorId: string, more?: Partial<Insertable<DB['articles']>>): Promise<string>;
  /** Adds a delivery of the article at the connected account or at `accountId`. Returns its id. */
  addDelivery(articleId: string, more?: AddedDelivery): Promise<string>;
  /** Lists the attempts of the delivery, oldest first. */
  attempts(deliveryId: string): Promise<Selectable<DB['deliveryAttempts']>[]>;
  /** Returns intent, copy and state from the view. */
  delivery(id: string): Promise<Selectable<DB['deliveryStates']> & { deliveryId: string }>;
  article(id: string): Promise<Selectable<DB['articles']>>;
  /** Lists the pending outbox rows: a destination, or null for the article workflow. */
  outbox(articleId: string): Promise<(string | null)[]>;
  close(): Promise<void>;
}

export interface AddedDelivery extends Partial<Insertable<DB['deliveries']>> {
  accountId?: string;
  /** Live by default. */
  copy?: Partial<Insertable<DB['copies']>>;
  /** Oldest first. An attempt without an outcome is open. */
  attempts?: Partial<Insertable<DB['deliveryAttempts']>>[];
}

const SENT = { action: 'create', dispatch: 1, revision: 1, contentHash: 'sent', lookUp: '{}' } as const;

export async function openTestLedger(): Promise<TestLedger> {
  const { db, close } = await openTestDatabase({ maxConnections: 10 });
  let count = 0;
  return {
    db,
    async addAuthor() {
      const username = `author-${++count}`;
      const user = { username, name: username, email: `${username}@example.org`, passwordHash: 'x', now: new Date() };
      return (await createUser(db, user)).id;
    },
    async addConnection(userId, destination = 'blogsite_a', more = {}) {
      const values = {
        userId,
        destination,
        platform: 'forem',
        baseUrl: 'https://forem.example/api',
        credentialsSealed: Buffer.alloc(1),
        ...more,
      };
      const accountId = await findOrCreateAccount(db, { ...values, account: { identity: userId, name: null } });
      const row = await db
        .insertInto('connections')
        .values({ accountId, ...values })
        .returning('id')
        .executeTakeFirstOrThrow();
      await db.updateTable('accounts').set({ connectedAt: new Date() }).where('id', '=', accountId).execute();
      return row.id;
    },
    async addAccount(userId) {
      const account = { userId, destination: 'blogsite_a', platform: 'forem', identity: `account-${++count}` } as const;
      return (await db.insertInto('accounts').values(account).returning('id').executeTakeFirstOrThrow()).id;
    },
    async addArticle(authorId, more = {}) {
      const slug = `article-${++count}`;
      const row = await db
        .insertInto('articles')
        .values({
          authorId,
          slug,
          title: slug,
          titleKey: slug,
          canonicalKey: `self:${slug}`,
          crossPost: JSON.stringify(Object.fromEntries(DESTINATION_KEYS.map((key) => [key, true]))),
          status: 'PUBLISHED',
          publishedAt: new Date(),
          source: '',
          body: 'Words.',
          derived: '{}',
          fingerprint: Buffer.alloc(32),
          contentHash: '',
          ...more,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return row.id;
    },
    async addDelivery(articleId, { accountId: chosenId, copy, attempts = [], ...more } = {}) {
      const { destination = 'blogsite_a' } = more;
      // A trigger may have created it with the article.
      const row = await db
        .insertInto('deliveries')
        .values({ articleId, destination, ...more })
        .onConflict((conflict) => conflict.columns(['articleId', 'destination']).doUpdateSet({ dueAt: null, ...more }))
        .returning('id')
        .executeTakeFirstOrThrow();
      const accountId = chosenId ?? (await findAccount(db, row.id));
      if (!accountId) return row.id;
      const hasCopy = copy !== undefined || attempts.some(({ wasSent }) => wasSent !== false);
      const createdCopy = copy
        ? ({ presence: 'live', remoteId: 'r1', ...copy } as const)
        : ({ presence: 'uncertain' } as const);
      const copyRow = hasCopy
        ? await db
            .insertInto('copies')
            .values({ articleId, accountId, ...createdCopy })
            .returning('id')
            .executeTakeFirstOrThrow()
        : null;
      for (const attempt of attempts) {
        const ended = attempt.outcome ? { endedAt: new Date() } : {};
        const values = { deliveryId: row.id, accountId, copyId: copyRow?.id ?? null, ...SENT, ...ended, ...attempt };
        await db.insertInto('deliveryAttempts').values(values).execute();
      }
      return row.id;
    },
    attempts: (deliveryId) =>
      db.selectFrom('deliveryAttempts').selectAll().where('deliveryId', '=', deliveryId).orderBy('startedAt').execute(),
    async delivery(id) {
      const rows = db.selectFrom('deliveryStates').selectAll().where('deliveryId', '=', id);
      return { ...(await rows.executeTakeFirstOrThrow()), deliveryId: id };
    },
    article: (id) => db.selectFrom('articles').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    async outbox(articleId) {
      const rows = await db.selectFrom('outbox').select('destination').where('articleId', '=', articleId).execute();
      return rows.map((row) => row.destination);
    },
    close,
  };
}

/** Returns the connected account of the delivery, else its last account. */
async function findAccount(db: Database, deliveryId: string): Promise<string | null> {
  const row = await db
    .selectFrom('deliveryStates')
    .select('accountId')
    .where('deliveryId', '=', deliveryId)
    .executeTakeFirst();
  return row?.accountId ?? null;
}
