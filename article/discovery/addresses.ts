/** Builds addresses of an article's other forms and its author. `baseUrl` has no trailing slash. */
import { buildArticleUrl } from '../identity/slug.ts';

export function buildMarkdownUrl(baseUrl: string, slug: string): string {
  return `${buildArticleUrl(baseUrl, slug)}.md`;
}

export function buildDocumentUrl(baseUrl: string, slug: string): string {
  return `${baseUrl}/api/geo/posts/${encodeURIComponent(slug)}`;
}

export function buildDescriptionUrl(baseUrl: string, slug: string): string {
  return `${buildDocumentUrl(baseUrl, slug)}/description`;
}

export function buildAuthorUrl(baseUrl: string, username: string): string {
  return `${baseUrl}/authors/${encodeURIComponent(username)}`;
}
