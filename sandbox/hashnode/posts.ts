/** Publishing and changing posts as Hashnode does. */
import { createHash } from 'node:crypto';
import type { HashnodeAccount, SandboxContext } from '../context.ts';
import type { LoggedAction } from '../posts.ts';
import { apiError, badInput, notOnPro } from './errors.ts';
import type { HashnodePost } from './records.ts';

/** The fields that both mutations take; `undefined` leaves a field as it is, null clears it. */
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
  if (!ofAccount(sandbox, input.publicationId)) throw apiError('NOT_FOUND', 'Publication not found.');
  if (input.publicationId !== account.publicationId) {
    throw apiError('FORBIDDEN', 'You do not have permission to publish in this publication.');
  }
  if (!account.isPro) throw notOnPro();
  const now = sandbox.now().toISOString();
  const draft = applyInput(blankPost(input.publicationId, now), input);
  const id = createHash('sha256').update(`${now}/${sandbox.state.nextId()}`).digest('hex').slice(0, 24);
  const post = { ...draft, id, slug: freeSlug(sandbox, input.publicationId, draft.slug || slugOf(draft.title), id) };
  record(sandbox, post, 'create');
  return post;
}

export function updatePost(
  sandbox: SandboxContext,
  account: HashnodeAccount,
  input: PostInput & { id: string },
): HashnodePost {
  const present = sandbox.state.posts('blogsite_b').get(input.id);
  if (present?.publicationId !== account.publicationId) throw apiError('NOT_FOUND', 'Post not found.');
  if (!account.isPro) throw notOnPro();
  const changed = { ...applyInput(present, input), updatedAt: sandbox.now().toISOString() };
  const post =
    changed.slug === present.slug
      ? changed
      : { ...changed, slug: freeSlug(sandbox, changed.publicationId, changed.slug, changed.id) };
  record(sandbox, post, post.isDelisted && !present.isDelisted ? 'withdraw' : 'update');
  return post;
}

/** Newest first, delisted ones left out. */
export function listedPosts(sandbox: SandboxContext, publicationId: string): HashnodePost[] {
  return [...sandbox.state.posts('blogsite_b').values()]
    .filter((post) => post.publicationId === publicationId && !post.isDelisted)
    .reverse()
    .sort((left, right) => Date.parse(right.publishedAt) - Date.parse(left.publishedAt));
}

/** The account whose publication it is. */
export function ofAccount(sandbox: SandboxContext, publicationId: string): HashnodeAccount | undefined {
  return Object.values(sandbox.hashnodeAccounts).find((account) => account.publicationId === publicationId);
}

function applyInput(post: HashnodePost, input: PostInput): HashnodePost {
  const tags =
    input.tags === undefined
      ? post.tags
      : (input.tags ?? []).map((tag) => ({ slug: tag.slug, name: tag.name ?? tag.slug }));
  const next: HashnodePost = {
    ...post,
    title: (input.title ?? post.title).trim(),
    subtitle: kept(input.subtitle, post.subtitle),
    contentMarkdown: input.contentMarkdown ?? post.contentMarkdown,
    coverImage: kept(input.coverImage, post.coverImage),
    slug: input.slug ?? post.slug,
    tags,
    canonicalUrl: kept(input.originalArticleURL, post.canonicalUrl),
    metaTitle: kept(input.metaTitle, post.metaTitle),
    metaDescription: kept(input.metaDescription, post.metaDescription),
    ogImage: kept(input.ogImage, post.ogImage),
    disableComments: input.disableComments ?? post.disableComments,
    isDelisted: input.isDelisted ?? post.isDelisted,
    enableToc: input.enableToc ?? post.enableToc,
    publishedAt: input.publishedAt ?? post.publishedAt,
  };
  checkPost(next);
  return next;
}

function checkPost(post: HashnodePost): void {
  if (post.title === '') throw badInput('Title is required.');
  if (post.contentMarkdown.trim() === '') throw badInput('Content is required.');
  if (post.tags.length > 15) throw badInput('A post can have at most 15 tags.');
  for (const { slug } of post.tags) {
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug)) throw badInput(`"${slug}" is not a tag slug.`);
  }
  if (post.slug !== '' && !/^[\p{L}\p{N}]+(-[\p{L}\p{N}]+)*$/u.test(post.slug))
    throw badInput(`"${post.slug}" is not a slug.`);
  for (const address of [post.canonicalUrl, post.coverImage, post.ogImage]) {
    if (address !== null && !/^https?:$/.test(URL.parse(address)?.protocol ?? ''))
      throw badInput(`"${address}" is not a URL.`);
  }
}

/** No source says what Hashnode does with a slug that is taken; like most, the stand-in gives the newcomer a suffix. */
function freeSlug(sandbox: SandboxContext, publicationId: string, slug: string, id: string): string {
  const isTaken = [...sandbox.state.posts('blogsite_b').values()].some(
    (post) => post.publicationId === publicationId && post.slug === slug && post.id !== id,
  );
  return isTaken ? `${slug}-${id.slice(0, 6)}` : slug;
}

function slugOf(title: string): string {
  return (
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '') || 'untitled'
  );
}

function blankPost(publicationId: string, now: string): HashnodePost {
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

function kept(given: string | null | undefined, present: string | null): string | null {
  return given === undefined ? present : given || null;
}

function record(sandbox: SandboxContext, post: HashnodePost, action: LoggedAction): void {
  const { id: remoteId, canonicalUrl, title } = post;
  const at = sandbox.now().toISOString();
  sandbox.state.save('blogsite_b', post, { platform: 'blogsite_b', action, remoteId, canonicalUrl, title, at });
}
