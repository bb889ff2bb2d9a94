/** Rows of the ledger as a test wants them, in a database of its own, without actors that change them. */
import type { Insertable, Selectable } from 'kysely';
import { DESTINATION_KEYS, type DestinationKey } from '../../article/types.ts';
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
  addArticle(authorId: string, more?: Partial<Insertable<DB['articles']>>): Promise<string>;
  addDelivery(articleId: string, more?: Partial<Insertable<DB['deliveries']>>): Promise<string>;
  delivery(id: string): Promise<Selectable<DB['deliveries']>>;
  article(id: string): Promise<Selectable<DB['articles']>>;
  /** The actors that are still to be signalled: a destination, or null for the article's actor. */
  outbox(articleId: string): Promise<(string | null)[]>;
  close(): Promise<void>;
}

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
      };
      const row = await db
        .insertInto('connections')
        .values({ ...values, ...more })
        .returning('id')
        .executeTakeFirstOrThrow();
      return row.id;
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
    async addDelivery(articleId, more = {}) {
      const values = { articleId, destination: 'blogsite_a' as const, ...more };
      return (await db.insertInto('deliveries').values(values).returning('id').executeTakeFirstOrThrow()).id;
    },
    delivery: (id) => db.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    article: (id) => db.selectFrom('articles').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    async outbox(articleId) {
      const rows = await db.selectFrom('outbox').select('destination').where('articleId', '=', articleId).execute();
      return rows.map((row) => row.destination);
    },
    close,
  };
}
