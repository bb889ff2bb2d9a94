/** What a page shows of an entry of the lists for programs. */
import type { Teaser } from './teaser.ts';
import type { ArticleEntry } from './schemas.ts';

export function readTeaser({ author, publishedAt, ...entry }: ArticleEntry): Teaser {
  return {
    ...entry,
    authorName: author.name,
    authorUsername: author.username,
    publishedAt: new Date(publishedAt),
  };
}
