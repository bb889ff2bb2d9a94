/** Creates posts as Medium does: checks required fields strictly, and drops others silently. */
import { createHash } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { MediumAccount } from '../accounts.ts';
import type { SandboxContext } from '../context.ts';
import type { SandboxResponse } from '../exchange.ts';
import type { SandboxPost, Table } from '../state.ts';

export interface MediumPost extends SandboxPost {
  content: string;
  tags: string[];
  license: string;
  /** Below the sandbox's own address. */
  path: string;
}

export interface MediumContext extends SandboxContext {
  posts: Table<MediumPost>;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_POSTS_PER_DAY = 10;

const Text = Type.String({ pattern: '\\S' });
const Input = Type.Object({
  title: Text,
  content: Text,
  contentFormat: Type.Enum(['html', 'markdown']),
  tags: Type.Optional(Type.Array(Type.String())),
  canonicalUrl: Type.Optional(Type.String({ pattern: '^https?://[^\\s]+$' })),
  publishStatus: Type.Optional(Type.Enum(['public', 'draft', 'unlisted'])),
  license: Type.Optional(Type.Enum(['all-rights-reserved', 'cc-40-by', 'public-domain'])),
  notifyFollowers: Type.Optional(Type.Boolean()),
});

/** `POST /users/{authorId}/posts`. */
export function createPost(
  medium: MediumContext,
  account: MediumAccount,
  authorId: string,
  body: unknown,
): SandboxResponse {
  if (authorId !== account.id) return buildFailure(403, 'User is not permitted to publish as this author.', 2002);
  if (!Value.Check(Input, body)) {
    const field = Value.Errors(Input, body)[0]?.instancePath.slice(1) || 'A required field';
    return buildFailure(400, `${field} is missing or invalid.`, 2004);
  }
  // The status of this response is not documented; clients must read the message.
  if (medium.rateLimits && countPostsToday(medium, account) >= MAX_POSTS_PER_DAY) {
    return buildFailure(429, 'User has reached the rate limit for publishing today.', 0);
  }
  const post = buildPost(medium, account, body);
  medium.posts.save(post, 'create');
  return { status: 201, body: { data: showPost(medium, post) } };
}

export function buildFailure(status: number, message: string, code: number): SandboxResponse {
  return { status, body: { errors: [{ message, code }] } };
}

function buildPost(
  { now, state }: MediumContext,
  { id: account, username }: MediumAccount,
  input: Static<typeof Input>,
): MediumPost {
  const createdAt = now().toISOString();
  const id = createHash('sha256').update(`${createdAt}/${state.nextId()}`).digest('hex').slice(0, 12);
  const title = input.title.length > 100 ? readTitle(input.content) : input.title;
  const { publishStatus = 'public', license = 'all-rights-reserved', canonicalUrl = null, content } = input;
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['story'];
  return {
    ...{ id, account, title, canonicalUrl, content, license, createdAt },
    status: publishStatus === 'public' ? 'published' : publishStatus,
    tags: (input.tags ?? []).slice(0, 3).filter((tag) => tag.length <= 25),
    path: publishStatus === 'draft' ? `/medium/p/${id}` : `/medium/@${username}/${words.join('-').slice(0, 60)}-${id}`,
  };
}

function showPost({ siteUrl }: MediumContext, post: MediumPost): Record<string, unknown> {
  const { id, title, account, tags, license, canonicalUrl, status, createdAt } = post;
  return {
    ...{ id, title, authorId: account, tags, url: `${siteUrl()}${encodeURI(post.path)}`, license },
    ...(canonicalUrl === null ? {} : { canonicalUrl }),
    publishStatus: status === 'published' ? 'public' : status,
    ...(status === 'draft' ? {} : { publishedAt: Date.parse(createdAt) }),
    licenseUrl: 'https://policy.medium.com/medium-terms-of-service-9db0094a1e0f',
  };
}

function countPostsToday({ posts, now }: MediumContext, { id }: MediumAccount): number {
  const since = now().getTime() - DAY_MS;
  return posts.list().filter(({ account, createdAt }) => account === id && Date.parse(createdAt) > since).length;
}

/** The first line of the content, without its markup. */
function readTitle(content: string): string {
  const text = content.replace(/<\/(?:h\d|p)>/g, '\n').replace(/<[^>]{0,1000}>/g, '');
  return text.trim().split('\n', 1)[0]?.slice(0, 100) || 'Untitled story';
}
