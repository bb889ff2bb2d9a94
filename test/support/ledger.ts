/** Rows of the ledger as a test wants them, in a database of its own, without actors that change them. */
import type { Insertable, Selectable } from 'kysely';
import { DESTINATION_KEYS, type DestinationKey } from '../../article/types.ts';
import { provideAccount } from '../../store/connections/accounts.ts';
import type { Database } from '../../store/db/database.ts';
import type { DB } from '../../store/db/types.ts';
import { createUser } from '../../store/users/create-user.ts';
import { openTestDatabase } from './environment.ts';

export interface TestLedger {
  db: Database;
  addAuthor(): Promise<string>;
  addConnection(
    userId: string,
    destination?: DestinationKey,
    more?: Partial<Insertable<DB['connections']>>,
  ): Promise<string>;
  /** Another account than the one that is connected. */
  addAccount(userId: string): Promise<string>;
  addArticle(authorId: string, more?: Partial<Insertable<DB['articles']>>): Promise<string>;
  /** A delivery of the article, with what is given at the account that is connected, or at `accountId`. Returns its id. */
  addDelivery(articleId: string, more?: AddedDelivery): Promise<string>;
  /** The attempts of the delivery, oldest first. */
  attempts(deliveryId: string): Promise<Selectable<DB['deliveryAttempts']>[]>;
  /** Intent, copy and state, as the view has them. */
  delivery(id: string): Promise<Selectable<DB['deliveryStates']> & { deliveryId: string }>;
  article(id: string): Promise<Selectable<DB['articles']>>;
  /** The actors that are still to be signalled: a destination, or null for the article's actor. */
  outbox(articleId: string): Promise<(string | null)[]>;
  close(): Promise<void>;
}

export interface AddedDelivery extends Partial<Insertable<DB['deliveries']>> {
  accountId?: string;
  /** Live unless it says otherwise. */
  copy?: Partial<Insertable<DB['copies']>>;
  /** Oldest first; one without an outcome is open. */
  attempts?: Partial<Insertable<DB['deliveryAttempts']>>[];
}

const SENT = { action: 'create', dispatch: 1, revision: 1, contentHash: 'sent', lookUp: '{}' } as const;

export async function openTestLedger(): Promise<TestLedger> {
  const { db, close } = await openTestDatabase({ connections: 10 });
  let count = 0;
  return {
    db,
    async addAuthor() {
      const username = `author-${++count}`;
      const who = { username, name: username, email: `${username}@example.org`, passwordHash: 'x', now: new Date() };
      return (await createUser(db, who)).id;
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
      const accountId = await provideAccount(db, { ...values, account: null });
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
    async addDelivery(articleId, { accountId: given, copy, attempts = [], ...more } = {}) {
      const { destination = 'blogsite_a' } = more;
      // A trigger may have made it with the article.
      const row = await db
        .insertInto('deliveries')
        .values({ articleId, destination, ...more })
        .onConflict((conflict) => conflict.columns(['articleId', 'destination']).doUpdateSet({ dueAt: null, ...more }))
        .returning('id')
        .executeTakeFirstOrThrow();
      const accountId = given ?? (await findAccount(db, row.id));
      if (!accountId) return row.id;
      const isMade = copy !== undefined || attempts.some(({ wasSent }) => wasSent !== false);
      const made = copy
        ? ({ presence: 'live', remoteId: 'r1', ...copy } as const)
        : ({ presence: 'uncertain' } as const);
      const copyRow = isMade
        ? await db
            .insertInto('copies')
            .values({ articleId, accountId, ...made })
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

/** The account at which the delivery is shown: that which is connected, else the last. */
async function findAccount(db: Database, deliveryId: string): Promise<string | null> {
  const row = await db
    .selectFrom('deliveryStates')
    .select('accountId')
    .where('deliveryId', '=', deliveryId)
    .executeTakeFirst();
  return row?.accountId ?? null;
}
