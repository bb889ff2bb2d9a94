/** Checks whether LinkedIn would accept a post. */
import type { LinkedinAccount } from '../context.ts';
import type { SandboxResponse } from '../faults.ts';

export interface PostInput {
  author: string;
  commentary: string;
  visibility: string;
  content?: { article?: { source: string; title?: string; description?: string; thumbnail?: string } };
}

const FIELDS = [
  ...['author', 'commentary', 'visibility', 'distribution', 'content', 'lifecycleState'],
  'isReshareDisabledByAuthor',
];
const ARTICLE_FIELDS = ['source', 'title', 'description', 'thumbnail'];

/** The post, or the response that refuses it. */
export function readPostInput(
  account: LinkedinAccount,
  body: unknown,
): { input: PostInput } | { refusal: SandboxResponse } {
  if (!isObject(body)) return { refusal: buildFailure(400, 'INVALID_REQUEST', 'The body is no JSON object.') };
  const problem = findProblem(body);
  if (problem !== null) return { refusal: buildInvalid(problem) };
  if (!/^urn:li:(?:person|organization):[\w-]+$/.test(String(body.author))) {
    return { refusal: buildFailure(400, 'ILLEGAL_ARGUMENT', `Urn ${String(body.author).slice(0, 100)} is invalid.`) };
  }
  if (!canPostAs(account, String(body.author))) {
    return { refusal: buildFailure(403, 'ACCESS_DENIED', 'Field Value validation failed in REQUEST_BODY: /author') };
  }
  return { input: body as unknown as PostInput };
}

export function canPostAs(account: LinkedinAccount, urn: string): boolean {
  const pages = account.organizationIds.map((id) => `urn:li:organization:${id}`);
  return urn === `urn:li:person:${account.id}` || pages.includes(urn);
}

export function buildFailure(status: number, code: string, message: string): SandboxResponse {
  return { status, body: { status, code, message } };
}

export function buildInvalid(
  description: string,
  code = 'INVALID_VALUE_FOR_FIELD',
  message = description,
): SandboxResponse {
  const body = {
    errorDetailType: 'com.linkedin.common.error.BadRequest',
    message,
    errorDetails: { inputErrors: [{ description, input: { inputPath: { fieldPath: '' } }, code }] },
    status: 422,
  };
  return { status: 422, body };
}

function findProblem(body: Record<string, unknown>): string | null {
  const unknown = Object.keys(body).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) return `Unpermitted field: ${unknown}`;
  for (const name of ['author', 'commentary', 'visibility', 'distribution', 'lifecycleState']) {
    if (body[name] === undefined || body[name] === null) return `Required field: ${name}`;
  }
  if (typeof body.commentary !== 'string') return 'commentary is not a string';
  if (!['PUBLIC', 'CONNECTIONS', 'LOGGED_IN'].includes(String(body.visibility))) return 'visibility is not valid';
  if (body.lifecycleState !== 'PUBLISHED') return 'lifecycleState must be PUBLISHED on creation';
  const { distribution, content } = body;
  if (!isObject(distribution) || !['MAIN_FEED', 'NONE'].includes(String(distribution.feedDistribution))) {
    return 'distribution.feedDistribution is not valid';
  }
  if (content === undefined) return null;
  if (!isObject(content) || !isObject(content.article)) return 'content is not valid';
  return findArticleProblem(content.article);
}

function findArticleProblem(article: Record<string, unknown>): string | null {
  const unknown = Object.keys(article).find((name) => !ARTICLE_FIELDS.includes(name));
  if (unknown !== undefined) return `Unpermitted field: content.article.${unknown}`;
  if (!/^https?:$/.test(URL.parse(String(article.source))?.protocol ?? ''))
    return 'content.article.source is not a URL';
  const wrong = ['title', 'description', 'thumbnail'].find(
    (name) => article[name] !== undefined && typeof article[name] !== 'string',
  );
  return wrong === undefined ? null : `content.article.${wrong} is not a string`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
