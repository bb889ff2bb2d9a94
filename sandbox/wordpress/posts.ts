/** Creates, changes and trashes posts as WordPress does. */
import type { WordPressContext } from '../context.ts';
import type { SandboxResponse } from '../faults.ts';
import { buildSiteKey } from '../posts/owners.ts';
import type { LoggedAction } from '../posts/posts.ts';
import { hasCapability, type LoggedInAccount } from './accounts.ts';
import { POST_ARGUMENTS, refuseArguments } from './arguments.ts';
import { assignNextId, listRecords } from './list-records.ts';
import { findCanonical, showPost, toPlainTitle } from './post-views.ts';
import type { WordPressPost } from './records.ts';
import { buildFailure, buildForbidden, type Json } from './responses.ts';
import { buildSlug, findFreeSlug } from './slugs.ts';

/** `POST /wp/v2/posts`. */
export function createPost(sandbox: WordPressContext, account: LoggedInAccount | null, body: Json): SandboxResponse {
  if (body.id) return buildFailure(400, 'rest_post_exists', 'Cannot create existing post.');
  const refused = refuseArguments(body, POST_ARGUMENTS);
  if (refused) return refused;
  if (!account || !hasCapability(account, 'edit_posts')) {
    const message = 'Sorry, you are not allowed to create posts as this user.';
    return buildForbidden(account !== null, 'rest_cannot_create', message);
  }
  const now = sandbox.now().toISOString();
  const id = assignNextId(sandbox, 'wordpressPost');
  const blank: WordPressPost = {
    kind: 'wordpressPost',
    site: sandbox.site.name,
    id,
    author: account.username,
    title: '',
    content: '',
    excerpt: '',
    slug: '',
    status: 'draft',
    tags: [],
    featuredMedia: 0,
    commentStatus: 'open',
    createdAt: now,
    modifiedAt: now,
  };
  const post = applyBody(sandbox, blank, body);
  if (post.status !== 'draft' && post.status !== 'pending' && !hasCapability(account, 'publish_posts'))
    return buildCannotPublish();
  if (post.title === '' && post.content === '' && post.excerpt === '') {
    return buildFailure(400, 'empty_content', 'Content, title, and excerpt are empty.');
  }
  savePost(sandbox, post, 'create');
  const headers = { location: `${sandbox.site.url()}/wp-json/wp/v2/posts/${id}` };
  return { status: 201, headers, body: showPost(sandbox, post, 'edit') };
}

/** `POST /wp/v2/posts/<id>`: changes the fields in the body. */
export function updatePost(
  sandbox: WordPressContext,
  account: LoggedInAccount | null,
  id: string,
  body: Json,
): SandboxResponse {
  const present = findPost(sandbox, id);
  if (!present) return buildInvalidId();
  if (!canEdit(account, present)) {
    const message = 'Sorry, you are not allowed to edit this post.';
    return buildForbidden(account !== null, 'rest_cannot_edit', message);
  }
  const refused = refuseArguments(body, POST_ARGUMENTS);
  if (refused) return refused;
  const next = applyBody(sandbox, { ...present, modifiedAt: sandbox.now().toISOString() }, body);
  if (next.status === 'publish' && present.status !== 'publish' && !hasCapability(account, 'publish_posts'))
    return buildCannotPublish();
  savePost(sandbox, next, present.status === 'publish' && next.status !== 'publish' ? 'withdraw' : 'update');
  return { status: 200, body: showPost(sandbox, next, 'edit') };
}

/** `DELETE /wp/v2/posts/<id>` without `force`: moves the post to the trash, with another slug. */
export function trashPost(sandbox: WordPressContext, account: LoggedInAccount | null, id: string): SandboxResponse {
  const present = findPost(sandbox, id);
  if (!present) return buildInvalidId();
  if (!canEdit(account, present)) {
    return buildForbidden(account !== null, 'rest_cannot_delete', 'Sorry, you are not allowed to delete this post.');
  }
  if (present.status === 'trash') {
    return buildFailure(410, 'rest_already_trashed', 'The post has already been deleted.');
  }
  const slug = `${present.slug}__trashed`;
  const post: WordPressPost = { ...present, status: 'trash', slug, modifiedAt: sandbox.now().toISOString() };
  savePost(sandbox, post, 'withdraw');
  return { status: 200, body: showPost(sandbox, post, 'edit') };
}

export function findPost(sandbox: WordPressContext, id: string): WordPressPost | undefined {
  const found = sandbox.state.posts('cms_site').get(buildSiteKey(sandbox.site.name, 'wordpressPost', id));
  return found?.kind === 'wordpressPost' ? found : undefined;
}

export function buildInvalidId(): SandboxResponse {
  return buildFailure(404, 'rest_post_invalid_id', 'Invalid post ID.');
}

export function canEdit(account: LoggedInAccount | null, post: WordPressPost): boolean {
  return account !== null && (post.author === account.username || hasCapability(account, 'edit_others_posts'));
}

function buildCannotPublish(): SandboxResponse {
  return buildFailure(403, 'rest_cannot_publish', 'Sorry, you are not allowed to publish posts in this post type.');
}

function applyBody(sandbox: WordPressContext, post: WordPressPost, body: Json): WordPressPost {
  const media = listRecords(sandbox, 'wordpressMedia').map(({ id }) => Number(id));
  const tags = listRecords(sandbox, 'wordpressTag').map(({ id }) => Number(id));
  const title = readRawText(body.title) ?? post.title;
  const next: WordPressPost = {
    ...post,
    title,
    content: readRawText(body.content) ?? post.content,
    excerpt: readRawText(body.excerpt) ?? post.excerpt,
    status: (body.status as WordPressPost['status'] | undefined) ?? post.status,
    commentStatus: (body.comment_status as WordPressPost['commentStatus'] | undefined) ?? post.commentStatus,
    // Unknown ids of tags and of a cover are ignored without an error.
    tags: (body.tags as number[] | undefined)?.filter((id) => tags.includes(id)) ?? post.tags,
  };
  if (typeof body.featured_media === 'number') {
    next.featuredMedia = media.includes(body.featured_media) ? body.featured_media : 0;
  }
  const requested =
    typeof body.slug === 'string' ? buildSlug(body.slug) : post.slug || buildSlug(toPlainTitle(title)) || post.id;
  next.slug = findFreeSlug(requested, listTakenSlugs(sandbox, post.id));
  return next;
}

function listTakenSlugs(sandbox: WordPressContext, exceptId: string): Set<string> {
  const others = listRecords(sandbox, 'wordpressPost').filter(({ id }) => id !== exceptId);
  return new Set(others.map(({ slug }) => slug));
}

function readRawText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return value !== null && typeof value === 'object' ? String((value as Json).raw) : undefined;
}

function savePost(sandbox: WordPressContext, post: WordPressPost, action: LoggedAction): void {
  sandbox.state.save('cms_site', post, {
    platform: 'cms_site',
    action,
    remoteId: post.id,
    canonicalUrl: findCanonical(post.content),
    title: toPlainTitle(post.title),
    at: sandbox.now().toISOString(),
  });
}
