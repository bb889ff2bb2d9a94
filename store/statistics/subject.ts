/** What statistics are about: all of an author's articles, or one of them. */
import { sql } from 'kysely';

export interface Subject {
  authorId: string;
  /** One of the author's own, which the caller has looked up; null for all. */
  articleId: string | null;
}

/** Whether a row with this article's id is of it. */
export function isOfSubject({ authorId, articleId }: Subject, column: string) {
  const id = sql.ref(column);
  return articleId === null
    ? sql<boolean>`${id} in (select id from articles where author_id = ${authorId})`
    : sql<boolean>`${id} = ${articleId}`;
}
