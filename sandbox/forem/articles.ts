/** Creates, changes and lists articles as Forem does. */
import type { ForemAccount } from '../accounts.ts';
import type { Json, SandboxResponse } from '../exchange.ts';
import { applyParams } from './attributes.ts';
import { type ForemArticle, type ForemContext, nameOwner } from './context.ts';
import { buildRateLimited, PUBLICATIONS } from './rates.ts';
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
