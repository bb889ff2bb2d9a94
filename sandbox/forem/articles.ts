/** Creates, changes and lists articles as Forem does. */
import type { ForemAccount, SandboxContext } from '../context.ts';
import type { SandboxResponse } from '../faults.ts';
import type { LoggedAction } from '../posts/posts.ts';
import { applyParams, type Params } from './attributes.ts';
import type { ForemRates } from './rates.ts';
import type { ForemArticle } from './records.ts';
import { joinErrors, validateArticle } from './validation.ts';
import { showArticle } from './views.ts';

const MAX_PAST_MS = 15 * 60 * 1000;

/** `POST /articles`. */
export function createArticle(
  sandbox: SandboxContext,
  rates: ForemRates,
  account: ForemAccount,
  body: unknown,
): SandboxResponse {
  const params = readParams(body);
  if (!('params' in params)) return params;
  const now = sandbox.now();
  const limited = sandbox.rateLimits
    ? rates.passPublication(listPublicationTimes(sandbox, account), account.isNew ?? false, now.getTime())
    : null;
  if (limited) return limited;
  const draft = applyParams(buildBlankArticle(account.username, now), params.params);
  const dueAt = parseTime(params.params.published_at);
  const errors = validateArticle(draft, {
    now,
    articles: iterateArticles(sandbox),
    isNew: true,
    baseUrl: sandbox.baseUrl,
  });
  if (draft.published && dueAt !== null && dueAt < now.getTime() - MAX_PAST_MS) {
    errors.push('only future or current published_at allowed');
  }
  if (errors.length > 0) return buildFailure(422, joinErrors(errors));
  const id = String(1000 + sandbox.state.nextId());
  const publishedAt = draft.published ? new Date(Math.max(dueAt ?? 0, now.getTime())).toISOString() : null;
  const article = { ...draft, id, publishedAt, slug: buildSlug(draft, id) };
  saveArticle(sandbox, article, 'create', now);
  const shown = showArticle(article, { siteUrl: sandbox.siteUrl(), account });
  return { status: 201, headers: { location: String(shown.url) }, body: shown };
}

/** `PUT /articles/:id`. Another account's article is not found. */
export function updateArticle(
  sandbox: SandboxContext,
  rates: ForemRates,
  account: ForemAccount,
  id: string,
  body: unknown,
): SandboxResponse {
  const now = sandbox.now();
  const limited = sandbox.rateLimits ? rates.passUpdate(account.username, now.getTime()) : null;
  if (limited) return limited;
  const present = sandbox.state.posts('blogsite_a').get(id);
  if (!present || !isOwnedBy(present, account)) return buildFailure(404, 'not found');
  const params = readParams(body);
  if (!('params' in params)) return params;
  const next = applyParams(present, params.params);
  const errors = validateArticle(next, {
    now,
    articles: iterateArticles(sandbox),
    isNew: false,
    baseUrl: sandbox.baseUrl,
  });
  const dueAt = parseTime(params.params.published_at);
  if (present.publishedAt !== null && dueAt !== null && Math.abs(dueAt - Date.parse(present.publishedAt)) > 60_000) {
    errors.push('updating published_at for articles that have already been published is not allowed');
  }
  if (errors.length > 0) return buildFailure(422, joinErrors(errors));
  const publishedAt = next.published ? (present.publishedAt ?? now.toISOString()) : null;
  const article = {
    ...next,
    publishedAt,
    editedAt: now.toISOString(),
    slug: present.published ? present.slug : buildSlug(next, id),
  };
  saveArticle(sandbox, article, present.published && !next.published ? 'withdraw' : 'update', now);
  return { status: 200, body: showArticle(article, { siteUrl: sandbox.siteUrl(), account }) };
}

/** The account's own articles: unpublished first, then the newest. */
export function listOwnArticles(sandbox: SandboxContext, account: ForemAccount): ForemArticle[] {
  const order = (article: ForemArticle) =>
    article.publishedAt === null ? Number.POSITIVE_INFINITY : Date.parse(article.publishedAt);
  return [...iterateArticles(sandbox)]
    .filter((article) => isOwnedBy(article, account))
    .sort((left, right) => compare(order(right), order(left)) || Number(right.id) - Number(left.id));
}

export function buildFailure(status: number, error: string): SandboxResponse {
  return { status, body: { error, status } };
}

function isOwnedBy({ username }: ForemArticle, account: ForemAccount): boolean {
  return username === account.username || (account.formerNames?.includes(username) ?? false);
}

function readParams(body: unknown): { params: Params } | SandboxResponse {
  const article = body !== null && typeof body === 'object' ? (body as Params).article : undefined;
  if (article === undefined || article === null || article === '') {
    return buildFailure(422, 'param is missing or the value is empty: article');
  }
  if (typeof article !== 'object' || Array.isArray(article)) {
    return buildFailure(422, `article param must be a JSON object. You provided article as a ${typeof article}`);
  }
  if (Object.keys(article).length === 0) return buildFailure(422, 'param is missing or the value is empty: article');
  return { params: article as Params };
}

function iterateArticles(sandbox: SandboxContext): Iterable<ForemArticle> {
  return sandbox.state.posts('blogsite_a').values();
}

function listPublicationTimes(sandbox: SandboxContext, account: ForemAccount): number[] {
  return listOwnArticles(sandbox, account).flatMap(({ publishedAt }) =>
    publishedAt === null ? [] : [Date.parse(publishedAt)],
  );
}

function buildBlankArticle(username: string, now: Date): ForemArticle {
  return {
    id: '',
    username,
    title: '',
    slug: '',
    bodyMarkdown: '',
    tags: [],
    canonicalUrl: null,
    description: null,
    mainImage: null,
    series: null,
    published: false,
    publishedAt: null,
    createdAt: now.toISOString(),
    editedAt: null,
  };
}

/** The slug is fixed after publication; a draft has a placeholder. */
function buildSlug(article: ForemArticle, id: string): string {
  const ending = Number(id).toString(26);
  if (!article.published) return `temp-slug-${ending}`;
  const words = article.title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return words === '' ? ending : `${words.slice(0, 90)}-${ending}`;
}

function parseTime(value: unknown): number | null {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

function saveArticle(sandbox: SandboxContext, article: ForemArticle, action: LoggedAction, now: Date): void {
  const { id: remoteId, canonicalUrl, title } = article;
  sandbox.state.save('blogsite_a', article, {
    platform: 'blogsite_a',
    action,
    remoteId,
    canonicalUrl,
    title,
    at: now.toISOString(),
  });
}

function compare(left: number, right: number): number {
  return left === right ? 0 : left - right;
}
