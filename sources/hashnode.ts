/** Imports a Hashnode blog. Without the paid plan the API is closed, and its feed is read. */
import type { Cursor, ImportAddress, ListedPost, SourceNotice } from '../article/import/import-address.ts';
import type { SourcePost } from '../article/import/source-post.ts';
import { BASE_URL, LABEL } from '../destinations/hashnode/limits.ts';
import { isObject, readField, readText } from '../destinations/http/read-field.ts';
import { readRemoteId, readTime } from '../destinations/posts/remote-post.ts';
import { listFeed } from './feed.ts';
import { refuseSource, requestSource, retryLater } from './fetch.ts';
import { readName, readUrl } from './identifier.ts';
import type { Source, SourceContext, SourcePage, SourceResult } from './types.ts';

/** Pages contain the texts, so a page of 100 posts would be too large. */
const PAGE_SIZE = 20;
const MAX_PAGE_BYTES = 32 * 1024 * 1024;

const POSTS = `posts(first: $first, after: $after) {
    edges { node {
      id slug url title subtitle canonicalUrl publishedAt updatedAt
      content { markdown } coverImage { url } tags { name slug } series { name } author { id } publication { id }
    } }
    pageInfo { hasNextPage endCursor }
  }`;
const BY_HOST = `query ImportPublicationPosts($of: String!, $first: Int!, $after: String) {
  found: publication(host: $of) { id ${POSTS} }
}`;
const BY_NAME = `query ImportUserPosts($of: String!, $first: Int!, $after: String) {
  found: user(username: $of) { id ${POSTS} }
}`;

export const hashnodeSource: Source = {
  label: LABEL,
  intervalMs: 250,

  readPlace(identifier, connectedTo) {
    const baseUrl = connectedTo ?? BASE_URL;
    const url = readUrl(identifier);
    if (url !== null) {
      const blog = `${url.host}${url.pathname.replace(/\/+$/, '')}`;
      const profile = /^hashnode\.com\/@([^/]+)$/.exec(blog)?.[1];
      return profile === undefined
        ? { baseUrl, name: `${url.protocol}//${blog}`, origin: 'hashnode' }
        : readUser(profile, baseUrl);
    }
    return readUser(identifier, baseUrl);
  },

  async list(place, cursor, context) {
    if (cursor.url !== undefined) return listBlogFeed(place, cursor, context);
    const page = await listPosts(place, cursor, context);
    // Reads the feed only after this code. The feed would be refused for the other codes as well.
    const isClosed = page.kind === 'refused' && page.code === 'plan_required' && isBlog(place);
    if (!isClosed || cursor.page > 1) return page;
    const feedPage = await listBlogFeed(place, { page: 1, url: `${place.name}/rss.xml` }, context);
    if (feedPage.kind === 'refused') return refuseSource(feedPage.code, `${page.reason} ${feedPage.reason}`);
    if (feedPage.kind !== 'done') return feedPage;
    const message = `${page.reason} Its feed was read instead, which may lack posts and has no series.`;
    const notices: SourceNotice[] = [{ code: 'read_from_feed', message }, ...feedPage.value.notices];
    return { kind: 'done', value: { ...feedPage.value, notices } };
  },
};

function readUser(identifier: string, baseUrl: string): ImportAddress | { problem: string } {
  const name = readName(identifier);
  if (name === null) return { problem: `Enter the host of the blog at ${LABEL} (ann.hashnode.dev), or the user name.` };
  return { baseUrl, name, origin: 'hashnode' };
}

/** True if `name` is an address; otherwise it is a user name. */
function isBlog({ name }: ImportAddress): boolean {
  return /^https?:\/\//.test(name);
}

function listBlogFeed(
  { name }: ImportAddress,
  cursor: Cursor,
  context: SourceContext,
): Promise<SourceResult<SourcePage>> {
  return listFeed(`${name}/rss.xml`, cursor, context, { name: 'The feed of the blog', isMedium: false });
}

async function listPosts(
  place: ImportAddress,
  cursor: Cursor,
  context: SourceContext,
): Promise<SourceResult<SourcePage>> {
  const of = place.name.replace(/^https?:\/\//, '');
  const variables = { of, first: PAGE_SIZE, after: cursor.after ?? null };
  const body = { query: isBlog(place) ? BY_HOST : BY_NAME, variables };
  const answer = await requestSource(
    { method: 'POST', url: place.baseUrl, body, maxBytes: MAX_PAGE_BYTES, name: LABEL },
    context,
  );
  if (answer.kind !== 'done') return answer;
  const { json, status } = answer.value;
  const refusal = refuseErrors(json);
  if (refusal) return refusal;
  if (status !== 200 || !isObject(readField(json, 'data'))) {
    return retryLater(`A server between Courant and ${LABEL} responded instead (HTTP ${status}).`);
  }
  const found = readField(json, 'data', 'found');
  if (found == null) return refuseSource('not_found', `${LABEL} has no blog or user “${of}”.`);
  const edges = readField(found, 'posts', 'edges');
  if (!Array.isArray(edges)) return retryLater(`${LABEL} did not list the posts.`);
  const posts = edges
    .map((edge) => readPost(readField(edge, 'node'), readText(found, 'id')))
    .filter((post) => post !== null);
  const after = readText(found, 'posts', 'pageInfo', 'endCursor');
  const hasMore =
    readField(found, 'posts', 'pageInfo', 'hasNextPage') === true && after !== null && after !== cursor.after;
  return { kind: 'done', value: { posts, next: hasMore ? { page: cursor.page + 1, after } : null, notices: [] } };
}

/** Returns null if there are no errors. */
function refuseErrors(json: unknown): SourceResult<never> | null {
  const errors = readField(json, 'errors');
  if (!Array.isArray(errors) || errors.length === 0) return null;
  const code = readText(errors[0], 'extensions', 'code') ?? '';
  const message = readText(errors[0], 'message') ?? '';
  if (code === 'FORBIDDEN' && /\bpro\b/i.test(message)) {
    return refuseSource('plan_required', `${LABEL} allows API access to a blog only on its paid plan.`);
  }
  if (code === 'NOT_FOUND') return refuseSource('not_found', `${LABEL} has no such blog.`);
  if (code === 'INTERNAL_SERVER_ERROR' || code === '') return retryLater(`${LABEL} reports an internal error.`);
  return refuseSource('source_refused', `${LABEL} refuses the request (${code.slice(0, 40)}).`);
}

function readPost(node: unknown, foundId: string | null): ListedPost<SourcePost> | null {
  const remoteId = readRemoteId(readField(node, 'id'));
  const text = readText(node, 'content', 'markdown');
  if (remoteId === null || text === null) return null;
  const url = readText(node, 'url');
  const tags = readField(node, 'tags');
  const post: SourcePost = {
    remoteId,
    url,
    title: readText(node, 'title') ?? '',
    subtitle: readText(node, 'subtitle'),
    excerpt: null,
    tags: (Array.isArray(tags) ? tags : []).map((tag) => readText(tag, 'name') ?? readText(tag, 'slug') ?? ''),
    slug: readText(node, 'slug'),
    canonicalUrl: readText(node, 'canonicalUrl'),
    coverImage: readText(node, 'coverImage', 'url'),
    series: readText(node, 'series', 'name'),
    language: null,
    publishedAt: readTime(readField(node, 'publishedAt')),
    updatedAt: readTime(readField(node, 'updatedAt'), readField(node, 'publishedAt')),
    body: { format: 'markdown', text, base: url, isExcerpt: false },
  };
  const author = readText(node, 'author', 'id');
  const publication = readText(node, 'publication', 'id') ?? foundId;
  return { post, hasBody: true, account: author && publication ? `${author} ${publication.toLowerCase()}` : null };
}
