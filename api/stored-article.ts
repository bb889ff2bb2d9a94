/** A row of the store as the article room's functions want it, with this site's addresses filled in. */

import { buildArticleUrl } from '../article/slug.ts';
import type { StoredArticle } from '../article/stored.ts';
import type { ArticlePage } from '../store/articles/find-for-readers.ts';

export function storedArticle(row: ArticlePage, baseUrl: string): StoredArticle {
  const url = buildArticleUrl(baseUrl, row.slug);
  return {
    slug: row.slug,
    url,
    canonicalUrl: row.givenCanonicalUrl ?? url,
    title: row.title,
    subtitle: row.subtitle,
    tags: row.tags,
    category: row.category,
    author: {
      name: row.authorName,
      username: row.authorUsername,
      url: authorUrl(baseUrl, row.authorUsername),
      isTrusted: row.authorTrusted,
      sameAs: [],
    },
    publishedAt: row.publishedAt ?? row.updatedAt,
    updatedAt: row.updatedAt,
    derived: row.derived,
    coverImage: row.coverImage,
  };
}

export function authorUrl(baseUrl: string, username: string): string {
  return `${baseUrl}/authors/${username}`;
}
