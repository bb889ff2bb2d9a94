/**
 * Creates and deletes posts as LinkedIn does. An identical post is refused with the URN of the
 * first.
 */
import type { LinkedinAccount, SandboxContext } from '../context.ts';
import type { SandboxResponse } from '../faults.ts';
import type { LoggedAction } from '../posts/posts.ts';
import type { LinkedinImages } from './images.ts';
import { readLittleText } from './little-text.ts';
import type { LinkedinPost } from './records.ts';
import { buildFailure, buildInvalid, canPostAs, readPostInput } from './validation.ts';

/** The real window is not documented. */
const DUPLICATE_WINDOW_MS = 10 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Reported by others; not published. */
const MAX_POSTS_PER_DAY = 150;

/** `POST /rest/posts`: 201 without a body, the URN in a header. */
export function createPost(
  sandbox: SandboxContext,
  images: LinkedinImages,
  account: LinkedinAccount,
  body: unknown,
): SandboxResponse {
  const read = readPostInput(account, body);
  if ('refusal' in read) return read.refusal;
  const { author, commentary, visibility, content } = read.input;
  const { source = null, title = '', description = '', thumbnail = null } = content?.article ?? {};
  if (thumbnail !== null && !images.isUploaded(thumbnail)) return buildInvalid(`${thumbnail} is not available`);
  const now = sandbox.now();
  const accountPosts = [...sandbox.state.posts('social_feed').values()].filter((post) => post.author === author);
  const today = accountPosts.filter(
    (post) => Math.floor(Date.parse(post.createdAt) / DAY_MS) === Math.floor(now.getTime() / DAY_MS),
  );
  if (sandbox.rateLimits && today.length >= MAX_POSTS_PER_DAY) return buildThrottled();
  const fingerprint = JSON.stringify([commentary, content ?? null]);
  const since = now.getTime() - DUPLICATE_WINDOW_MS;
  const deletedSince = now.getTime() - sandbox.linkedinDeletedDuplicateMs;
  const duplicate = accountPosts.find(
    (post) => post.fingerprint === fingerprint && Date.parse(post.createdAt) > (post.isDeleted ? deletedSince : since),
  );
  if (duplicate)
    return buildInvalid('Duplicate post is detected', 'DUPLICATE_POST', `Content is a duplicate of ${duplicate.id}`);
  const id = `urn:li:share:${7_000_000_000_000_000_000n + BigInt(sandbox.state.nextId())}`;
  const post: LinkedinPost = {
    id,
    author,
    commentary: readLittleText(commentary),
    visibility,
    source,
    title,
    description,
    thumbnail,
    fingerprint,
    createdAt: now.toISOString(),
    isDeleted: false,
  };
  savePost(sandbox, post, 'create');
  return { status: 201, headers: { 'x-restli-id': id, 'content-type': 'application/json' }, body: '' };
}

/**
 * `DELETE /rest/posts/{urn}`: 204, also when repeated; 404 for an unknown post or another
 * account's.
 */
export function deletePost(sandbox: SandboxContext, account: LinkedinAccount, urn: string): SandboxResponse {
  const post = sandbox.state.posts('social_feed').get(urn);
  if (!post || !canPostAs(account, post.author))
    return buildFailure(404, 'NOT_FOUND', 'The requested post could not be found.');
  if (!post.isDeleted) savePost(sandbox, { ...post, isDeleted: true }, 'withdraw');
  return { status: 204, body: '' };
}

/** Has no `Retry-After` header. */
export function buildThrottled(): SandboxResponse {
  return buildFailure(
    429,
    'TOO_MANY_REQUESTS',
    'Resource level throttle MEMBER DAY limit for calls to this resource is reached.',
  );
}

function savePost(sandbox: SandboxContext, post: LinkedinPost, action: LoggedAction): void {
  const { id: remoteId, source: canonicalUrl, title } = post;
  const at = sandbox.now().toISOString();
  sandbox.state.save('social_feed', post, { platform: 'social_feed', action, remoteId, canonicalUrl, title, at });
}
