/** Inserts people, articles, comments and reactions directly into the database. */
import { DESTINATION_KEYS } from '../../../article/types.ts';
import type { Database } from '../../../store/db/database.ts';
import { createUser } from '../../../store/users/create-user.ts';

let people = 0;

/** Returns the id of a new account. `name` is stored unchanged, even if hostile. */
export async function addPerson(db: Database, name = 'Somebody', now = new Date()): Promise<string> {
  const username = `person-${process.pid}-${++people}`;
  const { id } = await createUser(db, { username, name, email: `${username}@example.org`, passwordHash: 'x', now });
  return id;
}

let articles = 0;

export async function addArticle(
  db: Database,
  authorId: string,
  more: {
    title?: string;
    status?: 'DRAFT' | 'PUBLISHED';
    publishedAt?: Date;
    canonicalKey?: string;
    imported?: boolean;
    body?: string;
  } = {},
): Promise<{ id: string; slug: string }> {
  const slug = `article-${process.pid}-${++articles}`;
  const publishedAt = more.publishedAt ?? new Date();
  const { id } = await db
    .insertInto('articles')
    .values({
      authorId,
      slug,
      title: more.title ?? slug,
      titleKey: slug,
      canonicalKey: more.canonicalKey ?? `self:${slug}`,
      crossPost: JSON.stringify(Object.fromEntries(DESTINATION_KEYS.map((key) => [key, true]))),
      status: more.status ?? 'PUBLISHED',
      imported: more.imported ?? false,
      source: '',
      body: more.body ?? 'Text.',
      derived: JSON.stringify({ excerpt: `About ${slug}.` }),
      fingerprint: Buffer.alloc(32),
      contentHash: '',
      publishedAt,
      createdAt: publishedAt,
      updatedAt: publishedAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, slug };
}

export async function addComment(
  db: Database,
  comment: {
    articleId: string;
    userId: string;
    at: Date;
    body?: string;
    parentId?: string;
    isQuestion?: boolean;
    acceptedAt?: Date;
    deletedAt?: Date;
  },
): Promise<string> {
  const { at, body, ...rest } = comment;
  const { id } = await db
    .insertInto('comments')
    .values({ ...rest, body: body ?? 'A comment.', createdAt: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function react(db: Database, articleId: string, userId: string, at: Date): Promise<void> {
  await db.insertInto('reactions').values({ articleId, userId, createdAt: at }).execute();
}
