/** Creates, changes and deletes posts as Ghost does. */
import { createHash, randomUUID } from 'node:crypto';
import type { GhostContext } from '../context.ts';
import type { SandboxResponse } from '../faults.ts';
import type { LoggedAction } from '../posts/posts.ts';
import { buildGhostError, buildPostNotFound, buildValidationError } from './errors.ts';
import { importHtml } from './import-html.ts';
import { listGhostPosts } from './list-posts.ts';
import type { GhostRecord } from './records.ts';
import { type Params, readParams, readTagName } from './validation.ts';
import { showPost, slugify } from './views.ts';

export interface GhostQuery {
  /** `html` is used only if this is `html`. */
  source?: string;
  formats?: string;
  fields?: string;
}

/** `POST /posts/`. */
export function createPost(sandbox: GhostContext, siteUrl: string, query: GhostQuery, body: unknown): SandboxResponse {
  const read = readParams(body, 'title');
  if (!('params' in read)) return read;
  const now = toWholeSecond(sandbox.now());
  const id = createHash('sha256').update(`${now}/${sandbox.state.nextId()}/ghost`).digest('hex').slice(0, 24);
  const post = applyParams(
    { ...buildBlankPost(sandbox.site.name, id), createdAt: now, updatedAt: now },
    read.params,
    query,
    siteUrl,
  );
  if (post.title === '') post.title = '(Untitled)';
  post.slug = findFreeSlug(sandbox, slugify(post.slug || post.title) || 'untitled', id);
  if (post.status === 'published') post.publishedAt = now;
  savePost(sandbox, post, 'create');
  return { status: 201, body: { posts: [showPost(post, siteUrl, query)] } };
}

/** `PUT /posts/:id/`. A change must name the version that it is based on. */
export function editPost(
  sandbox: GhostContext,
  siteUrl: string,
  id: string,
  query: GhostQuery,
  body: unknown,
): SandboxResponse {
  const read = readParams(body, 'updated_at');
  if (!('params' in read)) return read;
  const present = listGhostPosts(sandbox).find((post) => post.id === id);
  if (!present) return buildPostNotFound('edit');
  const next = applyParams(present, read.params, query, siteUrl);
  if (next.slug !== present.slug) next.slug = findFreeSlug(sandbox, slugify(next.slug) || 'untitled', id);
  const isChanged = JSON.stringify(next) !== JSON.stringify(present);
  if (isChanged && Date.parse(String(read.params.updated_at)) !== Date.parse(present.updatedAt)) {
    const message = 'Saving failed! Someone else is editing this post.';
    return buildGhostError(409, { type: 'UpdateCollisionError', message, context: message, code: 'UPDATE_COLLISION' });
  }
  if (isChanged) {
    // Ghost's times are whole seconds. Two saves in one second still need distinct times.
    const later = Math.max(sandbox.now().getTime(), Date.parse(present.updatedAt) + 1000);
    next.updatedAt = toWholeSecond(new Date(later));
    if (next.status === 'published') next.publishedAt ??= next.updatedAt;
    savePost(sandbox, next, present.status === 'published' && next.status === 'draft' ? 'withdraw' : 'update');
  }
  return { status: 200, body: { posts: [showPost(next, siteUrl, query)] } };
}

/** `DELETE /posts/:id/`. */
export function deletePost(sandbox: GhostContext, id: string): SandboxResponse {
  const present = listGhostPosts(sandbox).find((post) => post.id === id);
  if (!present) return buildPostNotFound('delete');
  savePost(sandbox, { ...present, isDeleted: true }, 'withdraw');
  return { status: 204, body: '' };
}

export function buildFilterError(): SandboxResponse {
  return { ...buildValidationError('Error parsing filter', 'list'), status: 400 };
}

function applyParams(post: GhostRecord, params: Params, { source }: GhostQuery, siteUrl: string): GhostRecord {
  const text = (name: string, present: string | null) =>
    name in params ? ((params[name] as string | null) ?? null) : present;
  const canonicalUrl = text('canonical_url', post.canonicalUrl);
  return {
    ...post,
    title: text('title', post.title)?.trim() ?? '',
    slug: text('slug', post.slug) ?? '',
    html: source === 'html' && typeof params.html === 'string' ? importHtml(params.html) : post.html,
    status: (params.status as GhostRecord['status'] | undefined) ?? post.status,
    tags: Array.isArray(params.tags) ? params.tags.map((tag) => readTagName(tag) ?? '') : post.tags,
    // An image of the site itself is shown with the site's address, in any form of the request.
    canonicalUrl: canonicalUrl?.startsWith('/') ? `${siteUrl}${canonicalUrl.slice(1)}` : canonicalUrl || null,
    featureImage: text('feature_image', post.featureImage) || null,
    customExcerpt: text('custom_excerpt', post.customExcerpt) || null,
    metaTitle: text('meta_title', post.metaTitle) || null,
    metaDescription: text('meta_description', post.metaDescription) || null,
  };
}

function buildBlankPost(site: string, id: string): Omit<GhostRecord, 'createdAt' | 'updatedAt'> {
  return {
    kind: 'ghostPost',
    site,
    id,
    uuid: randomUUID(),
    title: '',
    slug: '',
    html: null,
    status: 'draft',
    tags: [],
    canonicalUrl: null,
    featureImage: null,
    customExcerpt: null,
    metaTitle: null,
    metaDescription: null,
    publishedAt: null,
    isDeleted: false,
  };
}

/** A slug in use gets a number without an error, so a repeated create adds a second post. */
function findFreeSlug(sandbox: GhostContext, slug: string, id: string): string {
  const taken = new Set(listGhostPosts(sandbox).flatMap((post) => (post.id === id ? [] : [post.slug])));
  let free = slug;
  for (let number = 2; taken.has(free); number += 1) free = `${slug}-${number}`;
  return free;
}

function toWholeSecond(time: Date): string {
  return new Date(Math.floor(time.getTime() / 1000) * 1000).toISOString();
}

function savePost(sandbox: GhostContext, post: GhostRecord, action: LoggedAction): void {
  const { id: remoteId, canonicalUrl, title } = post;
  const at = sandbox.now().toISOString();
  sandbox.state.save('cms_site', post, { platform: 'cms_site', action, remoteId, canonicalUrl, title, at });
}
