/** Creates, changes, lists and trashes posts as WordPress does. */
import type { Json, Query, SandboxResponse } from '../exchange.ts';
import { canEdit, hasCapability, type LoggedInAccount } from './accounts.ts';
import { LIST_ARGUMENTS, POST_ARGUMENTS, refuseArguments } from './arguments.ts';
import { assignNextId, buildSiteUrl, type WordPressContext, type WordPressPost } from './context.ts';
import { buildFailure, buildForbidden } from './responses.ts';
import { buildSlug, findFreeSlug, hasSlug } from './slugs.ts';
import { findCanonical, showPost, toPlainTitle } from './views.ts';

/** `POST /wp/v2/posts`. */
export function createPost(wordpress: WordPressContext, account: LoggedInAccount, body: Json): SandboxResponse {
  if (body.id) return buildFailure(400, 'rest_post_exists', 'Cannot create existing post.');
  const refused = refuseArguments(body, POST_ARGUMENTS);
  if (refused) return refused;
  const { posts, media } = wordpress;
  const id = assignNextId(...posts.list(), ...media.list());
  const post = applyBody(wordpress, { ...buildBlankPost(account.logName, wordpress.now().toISOString()), id }, body);
  if (!['draft', 'pending'].includes(post.status) && !hasCapability(account, 'publish_posts')) return CANNOT_PUBLISH;
  if (post.rawTitle === '' && post.content === '' && post.excerpt === '') {
    return buildFailure(400, 'empty_content', 'Content, title, and excerpt are empty.');
  }
  posts.save(post, 'create');
  const headers = { location: `${buildSiteUrl(wordpress)}/wp-json/wp/v2/posts/${id}` };
  return { status: 201, headers, body: showPost(wordpress, post) };
}

/** `POST /wp/v2/posts/<id>`: changes the fields in the body. */
export function updatePost(
  wordpress: WordPressContext,
  account: LoggedInAccount,
  id: string,
  body: Json,
): SandboxResponse {
  const present = wordpress.posts.get(id);
  if (!present) return INVALID_ID;
  if (!canEdit(account, present)) return buildForbidden('rest_cannot_edit', 'edit this post');
  const refused = refuseArguments(body, POST_ARGUMENTS);
  if (refused) return refused;
  const next = applyBody(wordpress, { ...present, modifiedAt: wordpress.now().toISOString() }, body);
  const [wasPublic, isPublic] = [present.status === 'published', next.status === 'published'];
  if (isPublic && !wasPublic && !hasCapability(account, 'publish_posts')) return CANNOT_PUBLISH;
  wordpress.posts.save(next, wasPublic && !isPublic ? 'withdraw' : 'update');
  return { status: 200, body: showPost(wordpress, next) };
}

/** `DELETE /wp/v2/posts/<id>` without `force`: moves the post to the trash, with another slug. */
export function trashPost(wordpress: WordPressContext, account: LoggedInAccount, id: string): SandboxResponse {
  const present = wordpress.posts.get(id);
  if (!present) return INVALID_ID;
  if (!canEdit(account, present)) return buildForbidden('rest_cannot_delete', 'delete this post');
  const slug = `${present.slug}__trashed`;
  const post: WordPressPost = { ...present, status: 'trash', slug, modifiedAt: wordpress.now().toISOString() };
  wordpress.posts.save(post, 'withdraw');
  return { status: 200, body: showPost(wordpress, post) };
}

/** `GET /wp/v2/posts/<id>`. */
export function readPost(wordpress: WordPressContext, account: LoggedInAccount, id: string): SandboxResponse {
  const post = wordpress.posts.get(id);
  if (!post) return INVALID_ID;
  if (!canEdit(account, post)) return buildForbidden('rest_forbidden_context', 'edit this post');
  return { status: 200, body: showPost(wordpress, post) };
}

/** `GET /wp/v2/posts`: newest first. `any` means everything but the trash. */
export function listPosts(wordpress: WordPressContext, account: LoggedInAccount, query: Query): SandboxResponse {
  const refused = refuseArguments(query, LIST_ARGUMENTS);
  if (refused) return refused;
  const { status = 'publish', slug, author, search, search_columns, per_page = '10', offset = '0' } = query;
  const found = wordpress.posts
    .list()
    .map((post) => ({ post, shown: showPost(wordpress, post) }))
    .filter(({ post, shown }) => (status === 'any' ? post.status !== 'trash' : shown.status === status))
    .filter(({ post }) => hasSlug(post, slug))
    .filter(({ shown }) => author === undefined || author === String(shown.author))
    .filter(({ post }) => search === undefined || matchesSearch(post, search, search_columns))
    .reverse();
  const size = Number(per_page);
  return {
    status: 200,
    headers: { 'x-wp-total': String(found.length), 'x-wp-totalpages': String(Math.ceil(found.length / size)) },
    // Posts that the account may not edit are missing on the page, but counted in the headers.
    body: found
      .slice(Number(offset), Number(offset) + size)
      .flatMap(({ post, shown }) => (canEdit(account, post) ? [shown] : [])),
  };
}

export function buildBlankPost(account: string, now: string): WordPressPost {
  return {
    ...{ id: '', account, title: '', rawTitle: '', content: '', excerpt: '', slug: '', status: 'draft', tags: [] },
    ...{ canonicalUrl: null, featuredMedia: 0, commentStatus: 'open', createdAt: now, modifiedAt: now },
  };
}

const INVALID_ID = buildFailure(404, 'rest_post_invalid_id', 'Invalid post ID.');
const CANNOT_PUBLISH = buildForbidden('rest_cannot_publish', 'publish posts in this post type');

/** The body has passed the checks. */
function applyBody({ tags, media, posts }: WordPressContext, post: WordPressPost, body: Json): WordPressPost {
  const rawTitle = readRaw(body.title) ?? post.rawTitle;
  const content = readRaw(body.content) ?? post.content;
  const title = toPlainTitle(rawTitle);
  const status = body.status === 'publish' ? 'published' : (body.status as WordPressPost['status'] | undefined);
  const slug = body.slug === undefined ? post.slug || buildSlug(title) || post.id : buildSlug(String(body.slug));
  const cover = body.featured_media === undefined ? post.featuredMedia : Number(body.featured_media);
  return {
    ...post,
    ...{ rawTitle, title, content, canonicalUrl: findCanonical(content) },
    excerpt: readRaw(body.excerpt) ?? post.excerpt,
    status: status ?? post.status,
    commentStatus: (body.comment_status as WordPressPost['commentStatus'] | undefined) ?? post.commentStatus,
    // Unknown ids of tags and of a cover are ignored without an error.
    tags: (body.tags as number[] | undefined)?.filter((id) => tags.get(String(id))) ?? post.tags,
    featuredMedia: media.get(String(cover)) ? cover : 0,
    slug: findFreeSlug(
      slug,
      posts.list().filter(({ id }) => id !== post.id),
    ),
  };
}

function readRaw(value: unknown): string | undefined {
  return value !== null && typeof value === 'object' ? String((value as Json).raw) : (value as string | undefined);
}

/** Every word must occur in one of the columns. A word with a dash before it must not occur. */
function matchesSearch({ rawTitle, content, excerpt }: WordPressPost, search: string, column?: string): boolean {
  const texts = { post_title: rawTitle, post_content: content, post_excerpt: excerpt };
  const searched = Object.entries(texts).flatMap(([name, text]) => (!column || name === column ? text : []));
  const text = searched.join('\n').toLowerCase();
  const words = search.toLowerCase().match(/[^\s,+]+/g) ?? [];
  return words.every((word) => (word.startsWith('-') ? !text.includes(word.slice(1)) : text.includes(word)));
}
