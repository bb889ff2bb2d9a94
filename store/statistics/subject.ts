/** The subject of statistics: all articles of an author, or one of them. */
import { sql } from 'kysely';

export interface Subject {
  authorId: string;
  /** The author's own article, checked by the caller; null for all. */
  articleId: string | null;
}

/** Whether a row with this article id belongs to the subject. */
export function isOfSubject({ authorId, articleId }: Subject, column: string) {
  const id = sql.ref(column);
  return articleId === null
    ? sql<boolean>`${id} in (select id from articles where author_id = ${authorId})`
    : sql<boolean>`${id} = ${articleId}`;
}
