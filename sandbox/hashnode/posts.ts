/** Publishes and changes posts as Hashnode does. */
import { createHash } from 'node:crypto';
import type { HashnodeAccount, SandboxContext } from '../context.ts';
import type { LoggedAction } from '../posts/posts.ts';
import { findAccount, listPublications } from './accounts.ts';
import { buildApiError, buildBadInput, buildNotOnPro } from './errors.ts';
import type { HashnodePost } from './records.ts';

/** The fields that both mutations accept. `undefined` preserves a field, null clears it. */
export interface PostInput {
  title?: string | null;
  subtitle?: string | null;
  contentMarkdown?: string | null;
  coverImage?: string | null;
  slug?: string | null;
  tags?: { slug: string; name?: string | null }[] | null;
  originalArticleURL?: string | null;
  metaTitle?: string | null;
  metaDescription?: string | null;
  ogImage?: string | null;
  disableComments?: boolean | null;
  isDelisted?: boolean | null;
  enableToc?: boolean | null;
  publishedAt?: string | null;
}

export function publishPost(
  sandbox: SandboxContext,
  account: HashnodeAccount,
  input: PostInput & { publicationId: string },
): HashnodePost {
  if (!findAccount(sandbox, input.publicationId)) throw buildApiError('NOT_FOUND', 'Publication not found.');
  if (!listPublications(account).includes(input.publicationId)) {
    throw buildApiError('FORBIDDEN', 'You do not have permission to publish in this publication.');
  }
  if (!account.isPro) throw buildNotOnPro();
  const now = sandbox.now().toISOString();
  const draft = applyInput(buildBlankPost(input.publicationId, now), input);
  const id = createHash('sha256').update(`${now}/${sandbox.state.nextId()}`).digest('hex').slice(0, 24);
  const post = {
    ...draft,
    id,
    slug: findFreeSlug(sandbox, input.publicationId, draft.slug || buildSlug(draft.title), id),
  };
  savePost(sandbox, post, 'create');
  return post;
}

export function updatePost(
  sandbox: SandboxContext,
  account: HashnodeAccount,
  input: PostInput & { id: string },
): HashnodePost {
  const present = sandbox.state.posts('blogsite_b').get(input.id);
  if (!present || !listPublications(account).includes(present.publicationId)) {
    throw buildApiError('NOT_FOUND', 'Post not found.');
  }
  if (!account.isPro) throw buildNotOnPro();
  const changed = { ...applyInput(present, input), updatedAt: sandbox.now().toISOString() };
  const post =
    changed.slug === present.slug
      ? changed
      : { ...changed, slug: findFreeSlug(sandbox, changed.publicationId, changed.slug, changed.id) };
  savePost(sandbox, post, post.isDelisted && !present.isDelisted ? 'withdraw' : 'update');
  return post;
}

/** Newest first, without delisted ones. */
export function listPosts(sandbox: SandboxContext, ...publicationIds: string[]): HashnodePost[] {
  return [...sandbox.state.posts('blogsite_b').values()]
    .filter((post) => publicationIds.includes(post.publicationId) && !post.isDelisted)
    .reverse()
    .sort((left, right) => Date.parse(right.publishedAt) - Date.parse(left.publishedAt));
}

function applyInput(post: HashnodePost, input: PostInput): HashnodePost {
  const tags =
    input.tags === undefined
      ? post.tags
      : (input.tags ?? []).map((tag) => ({ slug: tag.slug, name: tag.name ?? tag.slug }));
  const next: HashnodePost = {
    ...post,
    title: (input.title ?? post.title).trim(),
    subtitle: replaceIfDefined(input.subtitle, post.subtitle),
    contentMarkdown: input.contentMarkdown ?? post.contentMarkdown,
    coverImage: replaceIfDefined(input.coverImage, post.coverImage),
    slug: input.slug ?? post.slug,
    tags,
    canonicalUrl: replaceIfDefined(input.originalArticleURL, post.canonicalUrl),
    metaTitle: replaceIfDefined(input.metaTitle, post.metaTitle),
    metaDescription: replaceIfDefined(input.metaDescription, post.metaDescription),
    ogImage: replaceIfDefined(input.ogImage, post.ogImage),
    disableComments: input.disableComments ?? post.disableComments,
    isDelisted: input.isDelisted ?? post.isDelisted,
    enableToc: input.enableToc ?? post.enableToc,
    publishedAt: input.publishedAt ?? post.publishedAt,
  };
  checkPost(next);
  return next;
}

function checkPost(post: HashnodePost): void {
  if (post.title === '') throw buildBadInput('Title is required.');
  if (post.contentMarkdown.trim() === '') throw buildBadInput('Content is required.');
  if (post.tags.length > 15) throw buildBadInput('A post can have at most 15 tags.');
  for (const { slug } of post.tags) {
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug)) throw buildBadInput(`"${slug}" is not a tag slug.`);
  }
  if (post.slug !== '' && !/^[\p{L}\p{N}]+(-[\p{L}\p{N}]+)*$/u.test(post.slug))
    throw buildBadInput(`"${post.slug}" is not a slug.`);
  for (const address of [post.canonicalUrl, post.coverImage, post.ogImage]) {
    if (address !== null && !/^https?:$/.test(URL.parse(address)?.protocol ?? ''))
      throw buildBadInput(`"${address}" is not a URL.`);
  }
}

/**
 * Hashnode's treatment of a slug in use is not documented. The sandbox adds a suffix, as most
 * platforms do.
 */
function findFreeSlug(sandbox: SandboxContext, publicationId: string, slug: string, id: string): string {
  const isTaken = [...sandbox.state.posts('blogsite_b').values()].some(
    (post) => post.publicationId === publicationId && post.slug === slug && post.id !== id,
  );
  return isTaken ? `${slug}-${id.slice(0, 6)}` : slug;
}

function buildSlug(title: string): string {
  return (
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '') || 'untitled'
  );
}

function buildBlankPost(publicationId: string, now: string): HashnodePost {
  return {
    id: '',
    publicationId,
    title: '',
    subtitle: null,
    slug: '',
    contentMarkdown: '',
    tags: [],
    canonicalUrl: null,
    coverImage: null,
    metaTitle: null,
    metaDescription: null,
    ogImage: null,
    disableComments: false,
    isDelisted: false,
    enableToc: false,
    publishedAt: now,
    updatedAt: null,
  };
}

function replaceIfDefined(value: string | null | undefined, present: string | null): string | null {
  return value === undefined ? present : value || null;
}

function savePost(sandbox: SandboxContext, post: HashnodePost, action: LoggedAction): void {
  const { id: remoteId, canonicalUrl, title } = post;
  const at = sandbox.now().toISOString();
  sandbox.state.save('blogsite_b', post, { platform: 'blogsite_b', action, remoteId, canonicalUrl, title, at });
}
