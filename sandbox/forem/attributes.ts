/** Applies request parameters and front matter to an article, by Forem's rules of precedence. */
import { parse } from 'yaml';
import type { Json } from '../exchange.ts';
import type { ForemArticle } from './context.ts';

/**
 * Applies parameters to an article. Absent ones preserve the present value, except tags, which are
 * always written.
 */
export function applyParams(article: ForemArticle, params: Json): ForemArticle {
  const read = (name: string, present: string | null) => (name in params ? toText(params[name]) : present);
  const next: ForemArticle = {
    ...article,
    title: read('title', article.title) ?? '',
    bodyMarkdown: protectRules(read('body_markdown', article.bodyMarkdown) ?? ''),
    canonicalUrl: read('canonical_url', article.canonicalUrl)?.trim() || null,
    description: read('description', article.description),
    mainImage: read('main_image', article.mainImage) || null,
    // Strong parameters accept only a list. A string is dropped, which clears the tags.
    tags: Array.isArray(params.tags) ? cleanTags(params.tags) : [],
    status: 'published' in params ? readStatus(params.published) : article.status,
  };
  const matter = readFrontMatter(next.bodyMarkdown);
  return matter ? applyFrontMatter(next, matter) : next;
}

/** Front matter overrides all parameters. With a title, it replaces the description too. */
function applyFrontMatter(article: ForemArticle, matter: Json): ForemArticle {
  const { title, tags, published, canonical_url, cover_image, description } = matter;
  const text = (value: unknown, present: string | null) => (value === undefined ? present : toText(value));
  return {
    ...article,
    title: text(title, article.title) ?? '',
    description: text(description, title === undefined ? article.description : null),
    tags: tags === undefined ? article.tags : cleanTags(Array.isArray(tags) ? tags : String(tags).split(',')),
    status: published === undefined ? article.status : readStatus(published),
    canonicalUrl: text(canonical_url, article.canonicalUrl) || null,
    mainImage: text(cover_image, article.mainImage) || null,
  };
}

/** Null without front matter, and if it is no YAML: Forem responds with the parser's error then. */
function readFrontMatter(body: string): Json | null {
  const [, text] = /^\s*---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(body) ?? [];
  if (text === undefined) return null;
  try {
    const value: unknown = parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Json) : null;
  } catch {
    return null;
  }
}

/** Forem lengthens every `---` at a line start after the second, so that it is not front matter. */
function protectRules(body: string): string {
  let seen = 0;
  return body.replace(/^---/gm, (rule) => (++seen > 2 ? `${rule}-----` : rule));
}

function cleanTags(tags: unknown[]): string[] {
  const clean = tags.map((tag) => (toText(tag) ?? '').trim().toLowerCase()).filter((tag) => tag !== '');
  return [...new Set(clean)];
}

function readStatus(published: unknown): ForemArticle['status'] {
  return [true, 1, 'true', '1'].includes(published as never) ? 'published' : 'draft';
}

function toText(value: unknown): string | null {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : null;
}
