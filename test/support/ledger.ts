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
  /** At the account that is connected, if one is. `open`: with an attempt whose outcome is open. */
  addDelivery(
    articleId: string,
    more?: Partial<Insertable<DB['deliveries']>>,
    open?: Partial<Insertable<DB['deliveryAttempts']>>,
  ): Promise<string>;
  /** The attempt at the delivery's account whose outcome is open. */
  openAttempt(deliveryId: string): Promise<Selectable<DB['deliveryAttempts']> | undefined>;
  delivery(id: string): Promise<Selectable<DB['deliveries']>>;
  article(id: string): Promise<Selectable<DB['articles']>>;
  /** The actors that are still to be signalled: a destination, or null for the article's actor. */
  outbox(articleId: string): Promise<(string | null)[]>;
  close(): Promise<void>;
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
    async addDelivery(articleId, more = {}, open) {
      const { destination = 'blogsite_a', attempts = 1 } = more;
      const connected = await db
        .selectFrom('connections')
        .innerJoin('articles', 'articles.authorId', 'connections.userId')
        .select('connections.accountId')
        .where('articles.id', '=', articleId)
        .where('connections.destination', '=', destination)
        .executeTakeFirst();
      const values = {
        articleId,
        destination,
        accountId: connected?.accountId ?? null,
        ...(open ? { attempts } : {}),
        ...more,
      };
      const row = await db
        .insertInto('deliveries')
        .values(values)
        .returning(['id', 'accountId'])
        .executeTakeFirstOrThrow();
      if (open) {
        const number = typeof attempts === 'number' ? attempts : 1;
        const attempt = { deliveryId: row.id, number, accountId: row.accountId ?? '', ...SENT, ...open };
        await db.insertInto('deliveryAttempts').values(attempt).execute();
      }
      return row.id;
    },
    openAttempt: (deliveryId) =>
      db
        .selectFrom('deliveryAttempts')
        .selectAll()
        .where('deliveryId', '=', deliveryId)
        .where('endedAt', 'is', null)
        .executeTakeFirst(),
    delivery: (id) => db.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    article: (id) => db.selectFrom('articles').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    async outbox(articleId) {
      const rows = await db.selectFrom('outbox').select('destination').where('articleId', '=', articleId).execute();
      return rows.map((row) => row.destination);
    },
    close,
  };
}
