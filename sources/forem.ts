/** Imports a user's published articles of DEV or another Forem. Its public lists have no texts. */
import type { ListedPost, SourceNotice } from '../article/import/import-address.ts';
import { type SourcePost, shortenId } from '../article/import/source-post.ts';
import { findApiRoot, findSiteName } from '../destinations/forem/address.ts';
import { BASE_URL, LABEL } from '../destinations/forem/limits.ts';
import { isObject, readField, readText } from '../destinations/http/read-field.ts';
import { readRemoteId, readTime } from '../destinations/posts/remote-post.ts';
import { refuseSource, requestSource, retryLater } from './fetch.ts';
import { readName, readUrl, splitLastPart } from './identifier.ts';
import type { Source, SourceContext, SourceResult } from './types.ts';

const PAGE_SIZE = 100;
const MAX_LIST_BYTES = 4 * 1024 * 1024;
/** A text of 800 KiB, as Markdown and as HTML, with escapes. */
const MAX_ARTICLE_BYTES = 8 * 1024 * 1024;
const HEADERS = { accept: 'application/vnd.forem.api-v1+json' };

export const foremSource: Source = {
  label: LABEL,
  // The edge of DEV allows three reads per second.
  intervalMs: 400,

  readPlace(identifier, connectedTo) {
    const url = readUrl(identifier);
    const { before, last } = url ? splitLastPart(url) : { before: connectedTo ?? BASE_URL, last: identifier };
    const name = readName(last);
    if (name === null) return { problem: `Enter the user name at ${LABEL}, or the address of the profile there.` };
    return { baseUrl: findApiRoot(before), name, origin: shortenId(findSiteName(before) ?? before) };
  },

  async list({ baseUrl, name }, { page }, context) {
    const query = new URLSearchParams({ username: name, page: String(page), per_page: String(PAGE_SIZE) });
    const answer = await requestJson(`${baseUrl}/articles?${query}`, MAX_LIST_BYTES, context);
    if (answer.kind !== 'done') return answer;
    const json = answer.value;
    if (!Array.isArray(json)) return retryAfterProxy();
    const posts = json.map((entry) => readListed(entry, baseUrl)).filter((post) => post !== null);
    const isEmpty = json.length === 0;
    const message = `${LABEL} lists no published articles of “${name}”. Check the spelling of the name.`;
    const notices: SourceNotice[] = page === 1 && isEmpty ? [{ code: 'nothing_found', message }] : [];
    return { kind: 'done', value: { posts, next: isEmpty ? null : { page: page + 1 }, notices } };
  },

  async fetchBody({ baseUrl }, post, context) {
    const url = `${baseUrl}/articles/${encodeURIComponent(post.remoteId)}`;
    const answer = await requestJson(url, MAX_ARTICLE_BYTES, context);
    if (answer.kind !== 'done') return answer;
    const json = answer.value;
    const markdown = readText(json, 'body_markdown');
    const html = readText(json, 'body_html');
    const format = markdown === null ? 'html' : 'markdown';
    const text = markdown ?? html;
    if (text === null || readRemoteId(readField(json, 'id')) !== post.remoteId) return retryAfterProxy();
    return { kind: 'done', value: { ...post, body: { ...post.body, format, text } } };
  },
};

function readListed(entry: unknown, baseUrl: string): ListedPost<SourcePost> | null {
  const remoteId = readRemoteId(readField(entry, 'id'));
  if (remoteId === null) return null;
  const url = readText(entry, 'url');
  const description = readText(entry, 'description');
  const post: SourcePost = {
    remoteId,
    url,
    title: readText(entry, 'title') ?? '',
    subtitle: null,
    // A truncated description was generated from the text.
    excerpt: description === null || /(?:\.{3}|…)\s*$/.test(description) ? null : description,
    tags: readTags(entry),
    // Forem slugs end in a number. The title gives a better slug.
    slug: null,
    canonicalUrl: readText(entry, 'canonical_url'),
    coverImage: readText(entry, 'cover_image'),
    series: null,
    language: readText(entry, 'language'),
    publishedAt: readTime(readField(entry, 'published_at'), readField(entry, 'published_timestamp')),
    updatedAt: readTime(readField(entry, 'edited_at'), readField(entry, 'published_at')),
    body: { format: 'markdown', text: '', base: url, isExcerpt: false },
  };
  const userId = readRemoteId(readField(entry, 'user', 'user_id'));
  const site = findSiteName(baseUrl);
  return { post, hasBody: false, account: userId === null || site === null ? null : `${site} ${userId}` };
}

/** Lists and articles use `tags` and `tag_list` with swapped types. */
function readTags(entry: unknown): string[] {
  const candidates = [readField(entry, 'tag_list'), readField(entry, 'tags')];
  const list =
    candidates.find((tags) => Array.isArray(tags)) ??
    String(candidates.find((tags) => typeof tags === 'string') ?? '').split(',');
  return (list as unknown[])
    .filter((tag) => typeof tag === 'string')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

async function requestJson(url: string, maxBytes: number, context: SourceContext): Promise<SourceResult<unknown>> {
  const answer = await requestSource({ method: 'GET', url, headers: HEADERS, maxBytes, name: LABEL }, context);
  if (answer.kind !== 'done') return answer;
  const { status, json } = answer.value;
  if (status === 200) return { kind: 'done', value: json };
  // A proxy: Forem's own refusals are JSON.
  if (!isObject(json)) return retryLater(`A server between Courant and ${LABEL} responded instead (HTTP ${status}).`);
  if (status === 404) return refuseSource('not_found', `${LABEL} no longer shows this article.`);
  return refuseSource('source_refused', `${LABEL} refuses the request (HTTP ${status}).`);
}

function retryAfterProxy(): SourceResult<never> {
  return retryLater(`A server between Courant and ${LABEL} responded instead.`);
}
