/** Creates, changes, shows and deletes posts as Ghost does. */
import { createHash, randomUUID } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Json, Query, SandboxResponse } from '../exchange.ts';
import type { GhostContext, GhostPost } from './context.ts';
import { buildCollision, buildPostNotFound, buildValidationError } from './errors.ts';

const nullable = (maxLength: number) => Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()]));
/** RFC 3986: ASCII without spaces, braces, brackets in paths, and no stray percent sign. */
const Address = Type.Optional(
  Type.Union([
    Type.String({ maxLength: 2000, pattern: /^(?!.*#.*#)(?:[\w\-.~:/?#@!$&'()*+,;=]|%[\da-fA-F]{2})*$/.source }),
    Type.Null(),
  ]),
);
/** A leading comma is refused. */
const TagName = Type.String({ maxLength: 191, pattern: '^(?!,)' });
const Params = Type.Object({
  // The column's limit, far below the schema's 2000.
  title: Type.Optional(Type.String({ maxLength: 255 })),
  slug: Type.Optional(Type.String({ maxLength: 191 })),
  html: nullable(1_000_000_000),
  status: Type.Optional(Type.Enum(['published', 'draft', 'scheduled', 'sent'])),
  tags: Type.Optional(Type.Array(Type.Union([TagName, Type.Object({ name: TagName })]))),
  canonical_url: Address,
  feature_image: Address,
  custom_excerpt: nullable(300),
  meta_description: nullable(500),
  updated_at: Type.Optional(Type.String({ pattern: '^\\d{4}-' })),
});
type Params = Static<typeof Params>;

/** `POST /posts/`. */
export function createPost(ghost: GhostContext, query: Query, body: unknown): SandboxResponse {
  const params = readParams(body, 'title');
  if (typeof params === 'string') return buildValidationError(params);
  const now = toWholeSecond(ghost.now().getTime());
  const id = createHash('sha256').update(`${now}/${ghost.state.nextId()}/ghost`).digest('hex').slice(0, 24);
  const changed = applyParams(ghost, { ...buildBlankPost(ghost.site, now), id }, params, query);
  const titled = { ...changed, title: changed.title || '(Untitled)' };
  const slug = findFreeSlug(ghost, titled.slug || titled.title, id);
  const post = { ...titled, slug, publishedAt: titled.status === 'published' ? now : null };
  ghost.posts.save(post, 'create');
  return showPosts(ghost, [post], query, 201);
}

/** `PUT /posts/:id/`. A change must name the version that it is based on. */
export function editPost(ghost: GhostContext, id: string, query: Query, body: unknown): SandboxResponse {
  const params = readParams(body, 'updated_at');
  if (typeof params === 'string') return buildValidationError(params);
  const present = ghost.posts.get(id);
  if (!present) return buildPostNotFound();
  const next = applyParams(ghost, present, params, query);
  if (next.slug !== present.slug) next.slug = findFreeSlug(ghost, next.slug, id);
  if (JSON.stringify(next) === JSON.stringify(present)) return showPosts(ghost, [present], query);
  if (Date.parse(params.updated_at ?? '') !== Date.parse(present.updatedAt)) return buildCollision();
  // Ghost's times are whole seconds. Two saves in one second still need distinct times.
  next.updatedAt = toWholeSecond(Math.max(ghost.now().getTime(), Date.parse(present.updatedAt) + 1000));
  if (next.status === 'published') next.publishedAt ??= next.updatedAt;
  ghost.posts.save(next, present.status === 'published' && next.status === 'draft' ? 'withdraw' : 'update');
  return showPosts(ghost, [next], query);
}

/** `GET /posts/:id/`. */
export function readPost(ghost: GhostContext, id: string, query: Query): SandboxResponse {
  const post = ghost.posts.get(id);
  return post ? showPosts(ghost, [post], query) : buildPostNotFound();
}

/** `GET /posts/`: newest first. */
export function browsePosts(ghost: GhostContext, query: Query): SandboxResponse {
  const matches = query.filter === undefined ? () => true : parseFilter(query.filter, readSiteUrl(ghost));
  if (matches === null) return buildValidationError('Error parsing filter', 400);
  const posts = ghost.posts.list().filter(matches).reverse();
  const limit = Math.min(100, Number(query.limit ?? 15));
  const page = Number(query.page ?? 1);
  const next = page * limit < posts.length ? page + 1 : null;
  const { body, status } = showPosts(ghost, posts.slice((page - 1) * limit, page * limit), query);
  return { status, body: { ...(body as Json), meta: { pagination: { page, limit, total: posts.length, next } } } };
}

export function buildBlankPost(account: string, now: string): GhostPost {
  return {
    ...{ id: '', account, uuid: randomUUID(), title: '', slug: '', html: null, status: 'draft', tags: [] },
    ...{ canonicalUrl: null, featureImage: null, customExcerpt: null, metaDescription: null },
    ...{ createdAt: now, updatedAt: now, publishedAt: null },
  };
}

function readSiteUrl({ siteUrl, site }: GhostContext): string {
  return `${siteUrl()}/${site}/`;
}

/** The only entry of `posts`, checked, or the error. */
function readParams(body: unknown, required: 'title' | 'updated_at'): Params | string {
  const posts = body !== null && typeof body === 'object' ? (body as Json).posts : undefined;
  if (!Array.isArray(posts) || posts.length !== 1) return 'Validation failed for posts.';
  const [params] = posts as unknown[];
  if (!Value.Check(Params, params)) {
    return `Validation failed for ${Value.Errors(Params, params)[0]?.instancePath.slice(1)}.`;
  }
  return params[required] === undefined ? `Validation failed for ${required}.` : params;
}

function applyParams(ghost: GhostContext, post: GhostPost, params: Params, { source }: Query): GhostPost {
  const read = (
    name: 'canonical_url' | 'feature_image' | 'custom_excerpt' | 'meta_description',
    present: string | null,
  ) => (name in params ? params[name] : present) || null;
  const canonicalUrl = read('canonical_url', post.canonicalUrl);
  return {
    ...post,
    title: (params.title ?? post.title).trim(),
    slug: params.slug ?? post.slug,
    html: source === 'html' && typeof params.html === 'string' ? importHtml(params.html) : post.html,
    status: params.status ?? post.status,
    tags: params.tags?.map((tag) => (typeof tag === 'string' ? tag : tag.name)) ?? post.tags,
    // An address of the site itself is shown with the site's address, in any form of the request.
    canonicalUrl: canonicalUrl?.startsWith('/') ? `${readSiteUrl(ghost)}${canonicalUrl.slice(1)}` : canonicalUrl,
    featureImage: read('feature_image', post.featureImage),
    customExcerpt: read('custom_excerpt', post.customExcerpt),
    metaDescription: read('meta_description', post.metaDescription),
  };
}

/** `fields` lists the requested fields; otherwise `formats` lists the formats of the text. */
function showPosts(ghost: GhostContext, posts: GhostPost[], query: Query, status = 200): SandboxResponse {
  const fields = query.fields?.split(',');
  const show = (post: GhostPost) => {
    // A draft's address contains its uuid, so it is shown only if the uuid was requested too.
    const hidden = `p/${fields && !fields.includes('uuid') ? '' : `${post.uuid}/`}`;
    const all: Json = {
      ...{ id: post.id, uuid: post.uuid, title: post.title, slug: post.slug, status: post.status },
      ...(query.formats === 'html' ? { html: post.html } : {}),
      feature_image: post.featureImage,
      ...{ created_at: post.createdAt, updated_at: post.updatedAt, published_at: post.publishedAt },
      custom_excerpt: post.customExcerpt,
      canonical_url: post.canonicalUrl,
      tags: post.tags.map((name) => ({ name, slug: slugify(name) })),
      url: `${readSiteUrl(ghost)}${post.status === 'published' ? `${post.slug}/` : hidden}`,
      meta_description: post.metaDescription,
    };
    return fields ? Object.fromEntries(fields.map((name) => [name, all[name]])) : all;
  };
  return { status, body: { posts: posts.map(show) } };
}

const CARD = /(<!--kg-card-begin: html-->[\s\S]*?<!--kg-card-end: html-->)/;
const SUPPORTED = 'p|br|h[1-6]|strong|b|em|i|s|u|sub|sup|code|pre|a|ul|ol|li|blockquote|hr|img|figure|figcaption';
const UNSUPPORTED_TAG = new RegExp(`</?(?!(?:${SUPPORTED})[\\s>/])[a-z][^>]*>`, 'gi');

/** Removes unsupported tags as Ghost's editor does. The content of HTML cards stays. */
function importHtml(html: string): string {
  const parts = html.split(CARD);
  return parts.map((part, index) => (index % 2 === 1 ? part : part.replace(UNSUPPORTED_TAG, ''))).join('');
}

/** A slug in use gets a number without an error, so a repeated create adds a second post. */
function findFreeSlug({ posts }: GhostContext, wanted: string, id: string): string {
  const slug = slugify(wanted) || 'untitled';
  const taken = new Set(posts.list().flatMap((post) => (post.id === id ? [] : [post.slug])));
  let free = slug;
  for (let number = 2; taken.has(free); number += 1) free = `${slug}-${number}`;
  return free;
}

function slugify(text: string): string {
  const plain = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f']/g, '');
  return plain
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 185);
}

function toWholeSecond(time: number): string {
  return new Date(Math.floor(time / 1000) * 1000).toISOString();
}

/** Columns by name, in the form stored in the database. `siteUrl` ends with a slash. */
const COLUMNS = new Map<string, (post: GhostPost, siteUrl: string) => string | null>([
  ['slug', ({ slug }) => slug],
  [
    'canonical_url',
    ({ canonicalUrl }, siteUrl) =>
      canonicalUrl?.startsWith(siteUrl) ? `__GHOST_URL__/${canonicalUrl.slice(siteUrl.length)}` : canonicalUrl,
  ],
]);

const VALUE = String.raw`'(?:[^'\\]|\\.)*'`;
const CLAUSE = new RegExp(String.raw`(\w+):(${VALUE}|\[${VALUE}(?:,${VALUE})*\])(?:,(?!$)|$)`, 'g');

/** Reads the part of Ghost's filter language that finds posts. Null if it is not supported. */
function parseFilter(filter: string, siteUrl: string): ((post: GhostPost) => boolean) | null {
  const clauses = [...filter.matchAll(CLAUSE)];
  if (clauses.map(([clause]) => clause).join('') !== filter) return null;
  const tests = clauses.map(([, name = '', list = '']) => {
    const values = [...list.matchAll(new RegExp(VALUE, 'g'))].map(([text]) =>
      text.slice(1, -1).replace(/\\(.)/g, '$1'),
    );
    const column = COLUMNS.get(name);
    return column && ((post: GhostPost) => values.includes(column(post, siteUrl) ?? ''));
  });
  return tests.every((test) => test !== undefined) ? (post) => tests.some((test) => test(post)) : null;
}
