/** Creates comments with the functions of the store, for tests of their effects. */
import { addComment } from '../../../store/comments/add-comment.ts';
import { listComments } from '../../../store/comments/list-comments.ts';
import type { Database } from '../../../store/db/database.ts';
import { listNewestNotifications } from '../../../store/notifications/list.ts';
import { addArticle, addPerson } from './readership.ts';

/** Creates an article with its author, and two people who may comment on it. */
export async function setUpDiscussion(db: Database, more: { title?: string; status?: 'DRAFT' | 'PUBLISHED' } = {}) {
  const [author, reader, other] = [
    await addPerson(db, 'Ada'),
    await addPerson(db, 'Bob\r\nevent: forged'),
    await addPerson(db, 'Cleo'),
  ];
  return { author, reader, other, ...(await addArticle(db, author, { title: 'A post', ...more })) };
}

export async function comment(
  db: Database,
  input: { slug: string; userId: string; body?: string; parentId?: string | null; now?: Date },
): Promise<string> {
  const { slug, userId, body = 'Words.', parentId = null, now = new Date() } = input;
  const { id } = await addComment(db, { slug, userId, parentId, body, html: `<p>${body}</p>`, isQuestion: false, now });
  return id;
}

/** Formats listed comments as lines: depth, state and text. */
export async function describeThreads(
  db: Database,
  articleId: string,
  viewerId: string | null = null,
): Promise<string[]> {
  const rows = await listComments(db, { articleId, viewerId, first: 100, after: null });
  return rows.map(
    ({ depth, state, body }) => `${'  '.repeat(depth)}${state === 'visible' ? body : `${state}: ${body}`}`,
  );
}

/** Lists the notifications of a person, oldest first. */
export async function listNotifications(db: Database, userId: string) {
  const rows = await listNewestNotifications(db, { userId, before: null, limit: 1_000 });
  return rows.reverse().map(({ type, payload }) => ({ type, ...payload }));
}
