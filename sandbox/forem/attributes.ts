/** Applies request parameters and front matter to an article, by Forem's rules of precedence. */
import { parse } from 'yaml';
import type { ForemArticle } from './records.ts';

export type Params = Record<string, unknown>;

/**
 * Applies parameters to an article. Absent ones preserve the present value, except tags, which are
 * always written.
 */
export function applyParams(article: ForemArticle, params: Params): ForemArticle {
  const next = { ...article };
  const text = (name: string, present: string | null) => (name in params ? toText(params[name]) : present);
  next.title = text('title', article.title) ?? '';
  next.bodyMarkdown = protectRules(text('body_markdown', article.bodyMarkdown) ?? '');
  next.canonicalUrl = text('canonical_url', article.canonicalUrl)?.trim() || null;
  next.description = text('description', article.description);
  next.mainImage = text('main_image', article.mainImage) || null;
  next.series = text('series', article.series) || null;
  // Strong parameters accept only a list. A string is dropped without an error, which clears the
  // tags.
  next.tags = Array.isArray(params.tags) ? cleanTags(params.tags.map(toText)) : [];
  if ('published' in params) next.published = toBoolean(params.published);
  return applyFrontMatter(next);
}

/** Front matter in the body overrides all parameters. */
function applyFrontMatter(article: ForemArticle): ForemArticle {
  const match = /^\s*---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(article.bodyMarkdown);
  if (!match) return article;
  const matter = readYaml(match[1] ?? '');
  if (!matter) return article;
  const next = { ...article };
  if (matter.title !== undefined) {
    next.title = toText(matter.title) ?? '';
    next.description = toText(matter.description);
    next.series = toText(matter.series);
  }
  if (matter.tags !== undefined) {
    next.tags = cleanTags(
      Array.isArray(matter.tags) ? matter.tags.map(toText) : (toText(matter.tags) ?? '').split(','),
    );
  }
  if (matter.published !== undefined) next.published = toBoolean(matter.published);
  if (matter.canonical_url !== undefined) next.canonicalUrl = toText(matter.canonical_url) || null;
  if (matter.cover_image !== undefined) next.mainImage = toText(matter.cover_image) || null;
  if (matter.description !== undefined) next.description = toText(matter.description);
  return next;
}

function readYaml(text: string): Params | null {
  try {
    const value: unknown = parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Params) : null;
  } catch {
    // Forem responds with the parser's error; the sandbox treats the front matter as part of the
    // body.
    return null;
  }
}

/** Forem lengthens every `---` at a line start after the second, so that it is not front matter. */
function protectRules(body: string): string {
  let seen = 0;
  return body.replace(/^---/gm, (rule) => {
    seen += 1;
    return seen > 2 ? `${rule}-----` : rule;
  });
}

function cleanTags(tags: (string | null)[]): string[] {
  const clean = tags.map((tag) => (tag ?? '').trim().toLowerCase()).filter((tag) => tag !== '');
  return [...new Set(clean)];
}

function toBoolean(value: unknown): boolean {
  return value === true || value === 1 || value === 'true' || value === '1';
}

function toText(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}
