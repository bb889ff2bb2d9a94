/** Creates authors with a password and a row in every table that refers to users. */
import { sql } from 'kysely';
import { connectDestination } from '../../../../store/connections/connect.ts';
import { addNotification } from '../../../../store/notifications/add.ts';
import { loadSealer } from '../../../../store/secrets/sealing.ts';
import { addPageView } from '../../../support/add-page-view.ts';
import { markdown, type TestApi, type TestAuthor } from '../../../support/api/api.ts';
import { runGraphql } from '../../../support/api/graphql.ts';
import { addImport } from '../../../support/api/imports.ts';
import { hashCheaply } from '../../../support/api/passwords.ts';

export const PASSWORD = 'a good long password';

export async function createAuthor(api: TestApi, username: string): Promise<TestAuthor> {
  const author = await api.createAuthor(username);
  const passwordHash = await hashCheaply(PASSWORD);
  await api.db.updateTable('users').set({ passwordHash }).where('id', '=', author.id).execute();
  return author;
}

export const remove = (api: TestApi, author: TestAuthor, password = PASSWORD) =>
  runGraphql(api, author.id, 'mutation ($password: String!) { deleteAccount(password: $password) }', { password });
export const publish = (api: TestApi, author: TestAuthor, frontmatter: Record<string, unknown>) =>
  api.publish({ content: markdown(frontmatter) }, author);

/** Adds a row to every table that refers to the author. Returns the id of a delivered article. */
export async function fill(api: TestApi, author: TestAuthor, other: TestAuthor): Promise<string> {
  const { db } = api;
  const userId = author.id;
  const now = new Date();
  await runGraphql(api, userId, 'mutation { createSeries(title: "Mine") { id } }');
  const profile = { bio: 'bio of theirs', links: ['https://example.org'], pictureUrl: 'https://example.org/p' };
  await runGraphql(api, userId, 'mutation ($input: ProfileInput!) { updateProfile(input: $input) { id } }', {
    input: profile,
  });
  const email = `${author.username}@example.org`;
  await db.insertInto('mails').values({ kind: 'confirm_email', userId, email, createdAt: now, at: now }).execute();
  const link = {
    id: crypto.randomUUID(),
    purpose: 'confirm_email' as const,
    userId,
    email,
    createdAt: now,
    expiresAt: now,
  };
  await db.insertInto('mailLinks').values(link).execute();
  await db.insertInto('notificationPreferences').values({ userId, type: 'NEW_FOLLOWER', stream: false }).execute();
  const action = { at: now, operator: 'somebody', action: 'trust', userId, username: author.username };
  await db.insertInto('operatorActions').values(action).execute();
  const { body } = await publish(api, author, {
    title: 'A public secret',
    slug: `of-${author.username}`,
    series_id: 'mine',
    tags: ['t'],
  });
  const articleId = body.data?.id ?? '';
  const headers = { 'idempotency-key': crypto.randomUUID() };
  await api.publish({ content: markdown({ title: 'Scheduled', scheduled_at: '2099-01-01' }) }, { ...author, headers });
  const sealer = await loadSealer({ home: api.home, key: undefined });
  const connection = {
    userId,
    destination: 'blogsite_a',
    platform: 'forem',
    baseUrl: 'https://forem.example',
  } as const;
  await connectDestination(db, sealer, {
    ...connection,
    credentials: { apiKey: 'k' },
    account: { identity: '1', name: '@theirs' },
  });
  const { accountId } = await db
    .selectFrom('connections')
    .select('accountId')
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  const copy = { remoteId: '7', remoteUrl: 'https://forem.example/7', presence: 'live' } as const;
  await db
    .insertInto('copies')
    .values({ articleId, accountId, ...copy })
    .execute();
  const article = await db
    .selectFrom('articles')
    .select('id')
    .where('authorId', '=', other.id)
    .executeTakeFirstOrThrow();
  await db.insertInto('reactions').values({ articleId: article.id, userId }).execute();
  await db.insertInto('comments').values({ articleId: article.id, userId, body: 'What I said' }).execute();
  await db
    .insertInto('followers')
    .values([
      { authorId: userId, followerId: other.id },
      { authorId: other.id, followerId: userId },
    ])
    .execute();
  await db
    .insertInto('newsletterSubscribers')
    .values([
      { authorId: userId, email: 'reader@example.org' },
      { authorId: other.id, email: `${author.username}@example.org`, userId },
    ])
    .execute();
  await addImport(db, userId, 1);
  const hash = userId.replaceAll('-', '').padEnd(64, '0');
  await db.insertInto('images').values({ hash, type: 'png', bytes: 1, createdAt: now }).execute();
  await db.insertInto('authorImages').values({ authorId: userId, hash, bytes: 1, checkedAt: now }).execute();
  const origin = { authorId: userId, source: 'rss', origin: 'blog.example', remoteId: '1', articleId, createdAt: now };
  await db.insertInto('articleOrigins').values(origin).execute();
  await db
    .insertInto('digests')
    .values({ userId, date: '2026-01-05', messageId: 'x', at: now, dueAt: now, frequency: 'weekly' })
    .execute();
  await db.transaction().execute((tx) =>
    addNotification(tx, {
      userId,
      type: 'CROSS_POST_SUCCESS',
      payload: { platform: 'BLOGSITE_A', sharedUrl: 'https://there.example/1', postTitle: 'x' },
      dedupeKey: userId,
      now,
    }),
  );
  await addPageView(api.db, { articleId, views: 1, readingSeconds: 1, now: new Date(), host: 'read.example' });
  return articleId;
}

export async function countRows(api: TestApi, table: string, column: string, id: string): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`select count(*) from ${sql.table(table)} where ${sql.ref(column)} = ${id}`.execute(api.db);
  return rows[0]?.count ?? 0;
}
