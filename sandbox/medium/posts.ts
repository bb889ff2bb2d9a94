/**
 * Creates posts as Medium does: checks required fields strictly, and drops ignored ones silently.
 */
import { createHash } from 'node:crypto';
import type { MediumAccount, SandboxContext } from '../context.ts';
import type { SandboxResponse } from '../faults.ts';
import type { MediumPost } from './records.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_POSTS_PER_DAY = 10;
const LICENSES = [
  'all-rights-reserved',
  ...['by', 'by-sa', 'by-nd', 'by-nc', 'by-nc-nd', 'by-nc-sa', 'zero'].map((name) => `cc-40-${name}`),
  'public-domain',
];

/** `POST /users/{authorId}/posts`. */
export function createPost(
  sandbox: SandboxContext,
  account: MediumAccount,
  authorId: string,
  body: unknown,
): SandboxResponse {
  if (authorId !== account.id) return buildFailure(403, 'User is not permitted to publish as this author.', 2002);
  const input = isObject(body) ? body : {};
  const problem = findProblem(input);
  if (problem !== null) return buildFailure(400, problem, 2004);
  const now = sandbox.now();
  // The status of this response is not documented; clients must read the message.
  if (sandbox.rateLimits && countPublishedToday(sandbox, account, now.getTime()) >= MAX_POSTS_PER_DAY) {
    return buildFailure(429, 'User has reached the rate limit for publishing today.', 0);
  }
  const post = readPost(input, account, `${now.toISOString()}/${sandbox.state.nextId()}`, now);
  const { id: remoteId, canonicalUrl, title } = post;
  const at = now.toISOString();
  sandbox.state.save('blogsite_c', post, {
    platform: 'blogsite_c',
    action: 'create',
    remoteId,
    canonicalUrl,
    title,
    at,
  });
  return { status: 201, body: { data: showPost(sandbox, post) } };
}

export function buildFailure(status: number, message: string, code: number): SandboxResponse {
  return { status, body: { errors: [{ message, code }] } };
}

function findProblem(input: Record<string, unknown>): string | null {
  for (const name of ['title', 'content', 'contentFormat']) {
    const value = input[name];
    if (typeof value !== 'string' || value.trim() === '') return `${name} is required.`;
  }
  if (input.contentFormat !== 'html' && input.contentFormat !== 'markdown') return 'contentFormat is invalid.';
  const { tags, canonicalUrl, publishStatus, license, notifyFollowers } = input;
  if (tags !== undefined && !(Array.isArray(tags) && tags.every((tag) => typeof tag === 'string')))
    return 'tags is invalid.';
  if (canonicalUrl !== undefined && !/^https?:$/.test(URL.parse(String(canonicalUrl))?.protocol ?? '')) {
    return 'canonicalUrl is invalid.';
  }
  if (publishStatus !== undefined && !['public', 'draft', 'unlisted'].includes(String(publishStatus))) {
    return 'publishStatus is invalid.';
  }
  if (license !== undefined && !LICENSES.includes(String(license))) return 'license is invalid.';
  if (notifyFollowers !== undefined && typeof notifyFollowers !== 'boolean') return 'notifyFollowers is invalid.';
  return null;
}

/** The input has passed the checks. */
function readPost(input: Record<string, unknown>, account: MediumAccount, seed: string, now: Date): MediumPost {
  const id = createHash('sha256').update(seed).digest('hex').slice(0, 12);
  const content = String(input.content);
  const original = String(input.title);
  const title = original.length > 100 ? readTitle(content) : original;
  const publishStatus = (input.publishStatus as MediumPost['publishStatus'] | undefined) ?? 'public';
  const tags = ((input.tags as string[] | undefined) ?? []).slice(0, 3).filter((tag) => tag.length <= 25);
  return {
    id,
    authorId: account.id,
    title,
    contentFormat: input.contentFormat as MediumPost['contentFormat'],
    content,
    tags,
    canonicalUrl: (input.canonicalUrl as string | undefined) ?? null,
    publishStatus,
    license: (input.license as string | undefined) ?? 'all-rights-reserved',
    path: publishStatus === 'draft' ? `/medium/p/${id}` : `/medium/@${account.username}/${buildSlug(title)}-${id}`,
    createdAt: now.toISOString(),
  };
}

function showPost(sandbox: SandboxContext, post: MediumPost): Record<string, unknown> {
  return {
    id: post.id,
    title: post.title,
    authorId: post.authorId,
    tags: post.tags,
    url: `${sandbox.siteUrl()}${post.path}`,
    ...(post.canonicalUrl === null ? {} : { canonicalUrl: post.canonicalUrl }),
    publishStatus: post.publishStatus,
    ...(post.publishStatus === 'draft' ? {} : { publishedAt: Date.parse(post.createdAt) }),
    license: post.license,
    licenseUrl: 'https://policy.medium.com/medium-terms-of-service-9db0094a1e0f',
  };
}

function countPublishedToday(sandbox: SandboxContext, account: MediumAccount, now: number): number {
  const posts = [...sandbox.state.posts('blogsite_c').values()];
  return posts.filter((post) => post.authorId === account.id && Date.parse(post.createdAt) > now - DAY_MS).length;
}

/** The title from the first line of the content, without its markup. */
function readTitle(content: string): string {
  const [line = ''] = content
    .replace(/<\/(?:h\d|p)>/g, '\n')
    .replace(/<[^>]{0,1000}>/g, '')
    .trim()
    .split('\n');
  return line.replace(/^#+\s*/, '').slice(0, 100) || 'Untitled story';
}

function buildSlug(title: string): string {
  return (
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 60) || 'story'
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
