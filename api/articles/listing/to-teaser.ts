/** Converts an entry of the REST list to the teaser that pages show. */

import type { ArticleEntry } from './schemas.ts';
import type { Teaser } from './teaser.ts';

export function toTeaser({ author, publishedAt, ...entry }: ArticleEntry): Teaser {
  return {
    ...entry,
    authorName: author.name,
    authorUsername: author.username,
    publishedAt: new Date(publishedAt),
  };
}
