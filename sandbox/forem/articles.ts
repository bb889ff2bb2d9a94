/** Creates, changes and lists articles as Forem does. */
import { parse } from 'yaml';
import type { ForemAccount } from '../accounts.ts';
import type { Json, SandboxResponse } from '../exchange.ts';
import { buildRateLimited, type ForemArticle, type ForemContext, nameOwner, PUBLICATIONS } from './context.ts';
import { joinErrors, validateArticle } from './validation.ts';
import { showArticle } from './views.ts';

const MAX_PAST_MS = 15 * 60 * 1000;

/** `POST /articles`. */
export function createArticle(forem: ForemContext, account: ForemAccount, body: unknown): SandboxResponse {
  const params = readParams(body);
  if (typeof params === 'string') return buildFailure(422, params);
  const now = forem.now();
  const own = listOwnArticles(forem, account);
  const since = now.getTime() - PUBLICATIONS.periodMs;
  const recent = own.filter(({ publishedAt }) => publishedAt !== null && Date.parse(publishedAt) > since);
  if (forem.rateLimits && recent.length >= PUBLICATIONS.limit) return buildRateLimited();
  const draft = applyParams(buildBlankArticle(nameOwner(account), now), params);
  const dueAt = parseTime(params.published_at);
  const errors = validateArticle(draft, forem);
  if (draft.status === 'published' && dueAt !== null && dueAt < now.getTime() - MAX_PAST_MS) {
    errors.push('only future or current published_at allowed');
  }
  if (errors.length > 0) return buildFailure(422, joinErrors(errors));
  const id = String(1000 + forem.state.nextId());
  const publishedAt = draft.status === 'published' ? new Date(Math.max(dueAt ?? 0, now.getTime())).toISOString() : null;
  const article = { ...draft, id, publishedAt, slug: buildSlug(draft, id) };
  forem.articles.save(article, 'create');
  const shown = showArticle(forem, article);
  return { status: 201, headers: { location: String(shown.url) }, body: shown };
}

/** `PUT /articles/:id`. Another account's article is not found. */
export function updateArticle(forem: ForemContext, account: ForemAccount, id: string, body: unknown): SandboxResponse {
  const present = forem.articles.get(id);
  if (present?.account !== nameOwner(account)) return buildFailure(404, 'not found');
  const params = readParams(body);
  if (typeof params === 'string') return buildFailure(422, params);
  const next = applyParams(present, params);
  const errors = validateArticle(next, forem);
  const dueAt = parseTime(params.published_at);
  if (present.publishedAt !== null && dueAt !== null && Math.abs(dueAt - Date.parse(present.publishedAt)) > 60_000) {
    errors.push('updating published_at for articles that have already been published is not allowed');
  }
  if (errors.length > 0) return buildFailure(422, joinErrors(errors));
  const now = forem.now().toISOString();
  const wasPublished = present.status === 'published';
  const isPublished = next.status === 'published';
  const article = {
    ...next,
    publishedAt: isPublished ? (present.publishedAt ?? now) : null,
    editedAt: now,
    slug: wasPublished ? present.slug : buildSlug(next, id),
  };
  forem.articles.save(article, wasPublished && !isPublished ? 'withdraw' : 'update');
  return { status: 200, body: showArticle(forem, article) };
}

/** The account's own articles: unpublished first, then the newest. */
export function listOwnArticles({ articles }: ForemContext, account: ForemAccount): ForemArticle[] {
  const own = articles.list().filter((article) => article.account === nameOwner(account));
  const published = own.filter(({ status }) => status === 'published');
  return [...own.filter(({ status }) => status === 'draft').reverse(), ...published.reverse()];
}

export function buildFailure(status: number, error: string): SandboxResponse {
  return { status, body: { error, status } };
}

export function buildBlankArticle(account: string, now: Date): ForemArticle {
  return {
    ...{ id: '', account, title: '', slug: '', bodyMarkdown: '', tags: [], status: 'draft' },
    ...{ canonicalUrl: null, description: null, mainImage: null, publishedAt: null, editedAt: null },
    createdAt: now.toISOString(),
  };
}

/** The value of `article`, or the error. */
function readParams(body: unknown): Json | string {
  const article = body !== null && typeof body === 'object' ? (body as Json).article : undefined;
  if (article === undefined || article === null || article === '') return MISSING;
  if (typeof article !== 'object' || Array.isArray(article)) {
    return `article param must be a JSON object. You provided article as a ${typeof article}`;
  }
  return Object.keys(article).length === 0 ? MISSING : (article as Json);
}

const MISSING = 'param is missing or the value is empty: article';

/** The slug is fixed after publication; a draft has a placeholder. */
function buildSlug({ status, title }: ForemArticle, id: string): string {
  const ending = Number(id).toString(26);
  if (status === 'draft') return `temp-slug-${ending}`;
  const words =
    title
      .normalize('NFKD')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return [words.join('-').slice(0, 90), ending].filter((part) => part !== '').join('-');
}

function parseTime(value: unknown): number | null {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

/**
 * Applies parameters to an article. Absent ones preserve the present value, except tags, which are
 * always written.
 */
function applyParams(article: ForemArticle, params: Json): ForemArticle {
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
