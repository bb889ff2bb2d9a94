/**
 * Creates and deletes posts as LinkedIn does. An identical post is refused with the URN of the
 * first.
 */
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { LinkedinAccount } from '../accounts.ts';
import type { SandboxContext } from '../context.ts';
import type { SandboxResponse } from '../exchange.ts';
import type { SandboxPost, Table } from '../state.ts';
import { readLittleText } from './little-text.ts';

export interface LinkedinPost extends SandboxPost {
  /** The text that readers see: without escapes, cut at an unescaped reserved character. */
  commentary: string;
  description: string;
  /** URN of the card's image. */
  thumbnail: string | null;
  /** Text and card as sent. An identical post is refused for a while. */
  fingerprint: string;
}

export interface LinkedinContext extends SandboxContext {
  posts: Table<LinkedinPost>;
  /** By URN. True after the bytes were uploaded. */
  images: Map<string, boolean>;
}

/** The real window is not documented. */
const DUPLICATE_WINDOW_MS = 10 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Reported by others; not published. */
const MAX_POSTS_PER_DAY = 150;

const strict = { additionalProperties: false };
const Article = Type.Object(
  {
    source: Type.String({ pattern: '^https?://' }),
    title: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    thumbnail: Type.Optional(Type.String()),
  },
  strict,
);
const Input = Type.Object(
  {
    author: Type.String(),
    commentary: Type.String(),
    visibility: Type.Enum(['PUBLIC', 'CONNECTIONS', 'LOGGED_IN']),
    distribution: Type.Object({ feedDistribution: Type.Enum(['MAIN_FEED', 'NONE']) }),
    content: Type.Optional(Type.Object({ article: Article })),
    lifecycleState: Type.Literal('PUBLISHED'),
    isReshareDisabledByAuthor: Type.Optional(Type.Boolean()),
  },
  strict,
);

/** `POST /rest/posts`: 201 without a body, the URN in a header. */
export function createPost(linkedin: LinkedinContext, account: LinkedinAccount, body: unknown): SandboxResponse {
  if (!Value.Check(Input, body)) {
    const [error] = Value.Errors(Input, body);
    return buildInvalid(`${error?.instancePath} ${error?.message}`);
  }
  const refusal = refuseAuthor(account, body.author);
  if (refusal) return refusal;
  const { thumbnail } = body.content?.article ?? {};
  if (thumbnail !== undefined && !linkedin.images.get(thumbnail)) return buildInvalid(`${thumbnail} is not available`);
  const now = linkedin.now().getTime();
  const own = linkedin.posts.list().filter((post) => post.account === body.author);
  const today = own.filter(({ createdAt }) => Math.floor(Date.parse(createdAt) / DAY_MS) === Math.floor(now / DAY_MS));
  if (linkedin.rateLimits && today.length >= MAX_POSTS_PER_DAY) return buildThrottled();
  const post = buildPost(linkedin, body);
  const duplicate = own.find(({ fingerprint, status, createdAt }) => {
    const window = status === 'deleted' ? linkedin.linkedinDeletedDuplicateMs : DUPLICATE_WINDOW_MS;
    return fingerprint === post.fingerprint && Date.parse(createdAt) > now - window;
  });
  if (duplicate) {
    return buildInvalid('Duplicate post is detected', 'DUPLICATE_POST', `Content is a duplicate of ${duplicate.id}`);
  }
  linkedin.posts.save(post, 'create');
  return { status: 201, headers: { 'x-restli-id': post.id, 'content-type': 'application/json' }, body: '' };
}

function buildPost(
  { state, now }: LinkedinContext,
  { author, commentary, content }: Static<typeof Input>,
): LinkedinPost {
  const { source = null, title = '', description = '', thumbnail = null } = content?.article ?? {};
  return {
    id: `urn:li:share:${7_000_000_000_000_000_000n + BigInt(state.nextId())}`,
    account: author,
    canonicalUrl: source,
    commentary: readLittleText(commentary),
    ...{ title, description, thumbnail, status: 'published' },
    fingerprint: JSON.stringify([commentary, content ?? null]),
    createdAt: now().toISOString(),
  };
}

/**
 * `DELETE /rest/posts/{urn}`: 204, also when repeated; 404 for an unknown post or another
 * account's.
 */
export function deletePost({ posts }: LinkedinContext, account: LinkedinAccount, urn: string): SandboxResponse {
  const post = posts.get(urn);
  if (!post || refuseAuthor(account, post.account)) {
    return buildFailure(404, 'NOT_FOUND', 'The requested post could not be found.');
  }
  if (post.status !== 'deleted') posts.save({ ...post, status: 'deleted' }, 'withdraw');
  return { status: 204, body: '' };
}

/** `POST /rest/images?action=initializeUpload`. */
export function announceImage(linkedin: LinkedinContext, account: LinkedinAccount, body: unknown): SandboxResponse {
  const request = (body as { initializeUploadRequest?: { owner?: unknown } } | null)?.initializeUploadRequest;
  const refusal = refuseAuthor(account, String(request?.owner));
  if (refusal) return refusal;
  const image = `urn:li:image:C4E10AQ${linkedin.images.size}`;
  linkedin.images.set(image, false);
  return { status: 200, body: { value: { uploadUrl: `${linkedin.siteUrl()}/linkedin/dms-uploads/${image}`, image } } };
}

/** `PUT` to the announced address. The bytes are discarded. */
export function receiveImage({ images }: LinkedinContext, urn: string, bytes: unknown): SandboxResponse {
  if (!images.has(urn)) return buildFailure(404, 'NOT_FOUND', 'No upload was announced here.');
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return buildFailure(400, 'INVALID_REQUEST', 'There are no bytes.');
  images.set(urn, true);
  return { status: 201, body: '' };
}

/** Null if the account may post as this person or page. */
export function refuseAuthor({ id, organizationIds }: LinkedinAccount, urn: string): SandboxResponse | null {
  const pages = organizationIds.map((page) => `urn:li:organization:${page}`);
  if ([`urn:li:person:${id}`, ...pages].includes(urn)) return null;
  if (!/^urn:li:(?:person|organization):[\w-]+$/.test(urn)) {
    return buildFailure(400, 'ILLEGAL_ARGUMENT', `Urn ${urn.slice(0, 100)} is invalid.`);
  }
  return buildFailure(403, 'ACCESS_DENIED', 'Field Value validation failed in REQUEST_BODY: /author');
}

export function buildFailure(status: number, code: string, message: string): SandboxResponse {
  return { status, body: { status, code, message } };
}

export function buildInvalid(
  description: string,
  code = 'INVALID_VALUE_FOR_FIELD',
  message = description,
): SandboxResponse {
  const errorDetails = { inputErrors: [{ description, input: { inputPath: { fieldPath: '' } }, code }] };
  const errorDetailType = 'com.linkedin.common.error.BadRequest';
  return { status: 422, body: { errorDetailType, message, errorDetails, status: 422 } };
}

/** Has no `Retry-After` header. */
export function buildThrottled(): SandboxResponse {
  const message = 'Resource level throttle MEMBER DAY limit for calls to this resource is reached.';
  return buildFailure(429, 'TOO_MANY_REQUESTS', message);
}
