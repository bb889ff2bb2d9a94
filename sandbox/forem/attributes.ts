/** Turns request parameters and front matter into what an article becomes, by Forem's rules of precedence. */
import { parse } from 'yaml';
import type { ForemArticle } from './records.ts';

export type Params = Record<string, unknown>;

/** Parameters laid over an article. Absent ones keep what was there, save for the tags: those are always written. */
export function applyParams(article: ForemArticle, params: Params): ForemArticle {
  const next = { ...article };
  const text = (name: string, present: string | null) => (name in params ? scalar(params[name]) : present);
  next.title = text('title', article.title) ?? '';
  next.bodyMarkdown = protectRules(text('body_markdown', article.bodyMarkdown) ?? '');
  next.canonicalUrl = text('canonical_url', article.canonicalUrl)?.trim() || null;
  next.description = text('description', article.description);
  next.mainImage = text('main_image', article.mainImage) || null;
  next.series = text('series', article.series) || null;
  // Strong parameters take a list only: a string is dropped without a word, and what is dropped is erased.
  next.tags = Array.isArray(params.tags) ? cleanTags(params.tags.map(scalar)) : [];
  if ('published' in params) next.published = truth(params.published);
  return applyFrontMatter(next);
}

/** Front matter in the body wins over all parameters. */
function applyFrontMatter(article: ForemArticle): ForemArticle {
  const match = /^\s*---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(article.bodyMarkdown);
  if (!match) return article;
  const matter = readYaml(match[1] ?? '');
  if (!matter) return article;
  const next = { ...article };
  if (matter.title !== undefined) {
    next.title = scalar(matter.title) ?? '';
    next.description = scalar(matter.description);
    next.series = scalar(matter.series);
  }
  if (matter.tags !== undefined) {
    next.tags = cleanTags(
      Array.isArray(matter.tags) ? matter.tags.map(scalar) : (scalar(matter.tags) ?? '').split(','),
    );
  }
  if (matter.published !== undefined) next.published = truth(matter.published);
  if (matter.canonical_url !== undefined) next.canonicalUrl = scalar(matter.canonical_url) || null;
  if (matter.cover_image !== undefined) next.mainImage = scalar(matter.cover_image) || null;
  if (matter.description !== undefined) next.description = scalar(matter.description);
  return next;
}

function readYaml(text: string): Params | null {
  try {
    const value: unknown = parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Params) : null;
  } catch {
    // Forem answers with the parser's error; to the stand-in it is a body like any other.
    return null;
  }
}

/** Forem lengthens every line-start `---` after the second, lest it be taken for front matter. */
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

function truth(value: unknown): boolean {
  return value === true || value === 1 || value === 'true' || value === '1';
}

function scalar(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}
