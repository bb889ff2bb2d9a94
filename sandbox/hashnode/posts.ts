/** Publishes and changes posts as Hashnode does. */
import { createHash } from 'node:crypto';
import { GraphQLError } from 'graphql';
import type { HashnodeAccount } from '../accounts.ts';
import type { SandboxContext } from '../context.ts';
import type { SandboxPost, Table } from '../state.ts';

export interface HashnodePost extends SandboxPost {
  status: 'published' | 'delisted';
  subtitle: string | null;
  slug: string;
  contentMarkdown: string;
  tags: { slug: string; name: string }[];
  coverImage: string | null;
  updatedAt: string | null;
}

export interface HashnodeContext extends SandboxContext {
  posts: Table<HashnodePost>;
}

/** `undefined` preserves a field, null clears it. */
export interface PostInput {
  title?: string | null;
  subtitle?: string | null;
  contentMarkdown?: string | null;
  coverImage?: string | null;
  slug?: string | null;
  tags?: { slug: string; name?: string | null }[] | null;
  originalArticleURL?: string | null;
  isDelisted?: boolean | null;
}

export function publishPost(
  hashnode: HashnodeContext,
  account: HashnodeAccount,
  input: PostInput & { publicationId: string },
): HashnodePost {
  const { publicationId } = input;
  checkObjectId(publicationId, 'publicationId');
  if (!findPublisher(hashnode, publicationId)) throw buildApiError('NOT_FOUND', 'Publication not found.');
  if (!listPublications(account).includes(publicationId)) {
    throw buildApiError('FORBIDDEN', 'You do not have permission to publish in this publication.');
  }
  checkPlan(account);
  const createdAt = hashnode.now().toISOString();
  const id = createHash('sha256').update(`${createdAt}/${hashnode.state.nextId()}`).digest('hex').slice(0, 24);
  const draft = applyInput({ ...buildBlankPost(publicationId, createdAt), id }, input);
  const words = draft.title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['untitled'];
  const post = findFreeSlug(hashnode, { ...draft, slug: draft.slug || words.join('-') });
  hashnode.posts.save(post, 'create');
  return post;
}

export function updatePost(
  hashnode: HashnodeContext,
  account: HashnodeAccount,
  input: PostInput & { id: string },
): HashnodePost {
  const present = hashnode.posts.get(input.id);
  if (!present || !listPublications(account).includes(present.account)) {
    throw buildApiError('NOT_FOUND', 'Post not found.');
  }
  checkPlan(account);
  const changed = { ...applyInput(present, input), updatedAt: hashnode.now().toISOString() };
  const post = findFreeSlug(hashnode, changed);
  hashnode.posts.save(post, post.status === 'delisted' && present.status !== 'delisted' ? 'withdraw' : 'update');
  return post;
}

/** Newest first, without delisted ones. */
export function listPosts({ posts }: HashnodeContext, ...publicationIds: string[]): HashnodePost[] {
  const listed = posts
    .list()
    .filter(({ account, status }) => publicationIds.includes(account) && status === 'published');
  return listed.reverse();
}

/** The account that owns a publication. */
export function findPublisher({ hashnodeAccounts }: SandboxContext, id: string): HashnodeAccount | undefined {
  return Object.values(hashnodeAccounts).find((account) => listPublications(account).includes(id));
}

export function listPublications({ publicationId, otherPublicationIds = [] }: HashnodeAccount): string[] {
  return [publicationId, ...otherPublicationIds];
}

export function checkPlan({ isPro }: HashnodeAccount): void {
  const message = 'Publication does not have an active Pro plan. Upgrade in your dashboard to access this via the API.';
  if (!isPro) throw buildApiError('FORBIDDEN', message);
}

export function checkObjectId(id: string, name: string): void {
  if (!/^[0-9a-f]{24}$/i.test(id)) throw buildBadInput(`${name}: not an ObjectId.`);
}

/** The code is in `extensions`; the HTTP status is 200 nevertheless. */
export function buildApiError(code: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}

export function buildBadInput(message: string): GraphQLError {
  return buildApiError('BAD_USER_INPUT', message);
}

export function buildBlankPost(publicationId: string, createdAt: string): HashnodePost {
  return {
    ...{ id: '', account: publicationId, title: '', subtitle: null, slug: '', contentMarkdown: '', tags: [] },
    ...{ canonicalUrl: null, coverImage: null, status: 'published', updatedAt: null, createdAt },
  };
}

function applyInput(post: HashnodePost, input: PostInput): HashnodePost {
  const replace = (value: string | null | undefined, present: string | null) =>
    value === undefined ? present : value || null;
  const next: HashnodePost = {
    ...post,
    title: (input.title ?? post.title).trim(),
    subtitle: replace(input.subtitle, post.subtitle),
    contentMarkdown: input.contentMarkdown ?? post.contentMarkdown,
    coverImage: replace(input.coverImage, post.coverImage),
    slug: input.slug ?? post.slug,
    tags:
      input.tags === undefined ? post.tags : (input.tags ?? []).map(({ slug, name }) => ({ slug, name: name ?? slug })),
    canonicalUrl: replace(input.originalArticleURL, post.canonicalUrl),
    status: (input.isDelisted ?? post.status === 'delisted') ? 'delisted' : 'published',
  };
  checkPost(next);
  return next;
}

function checkPost({ title, contentMarkdown, tags, slug, canonicalUrl, coverImage }: HashnodePost): void {
  if (title === '') throw buildBadInput('Title is required.');
  if (contentMarkdown.trim() === '') throw buildBadInput('Content is required.');
  if (tags.length > 15) throw buildBadInput('A post can have at most 15 tags.');
  const badTag = tags.find((tag) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(tag.slug));
  if (badTag) throw buildBadInput(`"${badTag.slug}" is not a tag slug.`);
  if (!/^([\p{L}\p{N}]+(-[\p{L}\p{N}]+)*)?$/u.test(slug)) throw buildBadInput(`"${slug}" is not a slug.`);
  for (const address of [canonicalUrl, coverImage]) {
    const isWeb = address === null || /^https?:$/.test(URL.parse(address)?.protocol ?? '');
    if (!isWeb) throw buildBadInput(`"${address}" is not a URL.`);
  }
}

/**
 * Hashnode's treatment of a slug in use is not documented. The sandbox adds a suffix, as most
 * platforms do.
 */
function findFreeSlug({ posts }: HashnodeContext, post: HashnodePost): HashnodePost {
  const { account, slug, id } = post;
  const isTaken = posts.list().some((other) => other.account === account && other.slug === slug && other.id !== id);
  return isTaken ? { ...post, slug: `${slug}-${id.slice(0, 6)}` } : post;
}
