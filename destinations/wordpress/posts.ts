/** A site's posts: what of them is asked for, how one reads, and how an article's own is found again. */

import { readTime } from '../drift.ts';
import { field } from '../http/json-fields.ts';
import { outcomeOfStrangePost, outcomeOfWeather } from '../http/outcomes.ts';
import { readRemotePost } from '../remote-post.ts';
import type { ClientOptions, Outcome, RemotePost } from '../types.ts';
import { callWordPress, judge, sendToWordPress } from './call.ts';
import { WORDPRESS_LABEL } from './limits.ts';
import { hasMarker, searchWords } from './marker.ts';

/** Asking for less keeps a site from rendering the whole post for an answer that nobody reads. */
export const POST_FIELDS = 'id,link,status,modified_gmt';

const LISTING_MAX_BYTES = 32 * 1024 * 1024;
/** Whole contents come with a list: a page that is too large is asked for again in smaller pieces. */
const PAGE_SIZES = [20, 4, 1] as const;
const MOST_PAGES = 200;

/** Null where the answer does not name a post. */
export function readPost(json: unknown): RemotePost | null {
  return readRemotePost(field(json, 'id'), field(json, 'link'), readGmt(field(json, 'modified_gmt')));
}

/**
 * By slug first, then by the marker in the text; either way the marker decides. What lies in the trash is not there: its
 * author threw it away.
 */
export async function findPost(
  options: ClientOptions,
  { canonicalUrl, slug }: { canonicalUrl: string; slug: string },
): Promise<Outcome<RemotePost | null>> {
  const bySlug = await findAmong(options, { slug }, canonicalUrl);
  if (bySlug.kind !== 'done' || bySlug.value !== null) return bySlug;
  const search = searchWords(canonicalUrl);
  return findAmong(options, { search, search_columns: 'post_content' }, canonicalUrl);
}

async function findAmong(
  options: ClientOptions,
  filter: Record<string, string>,
  canonicalUrl: string,
): Promise<Outcome<RemotePost | null>> {
  const sizes: number[] = [...PAGE_SIZES];
  let offset = 0;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const size = sizes[0] ?? 1;
    const query = {
      ...filter,
      status: 'any',
      context: 'edit',
      per_page: String(size),
      offset: String(offset),
      _fields: `${POST_FIELDS},content.raw`,
    };
    const call = { method: 'GET' as const, route: '/wp/v2/posts', query, maxBytes: LISTING_MAX_BYTES };
    const ended = await sendToWordPress(options, call);
    if (ended.kind === 'tooLarge' && sizes.length > 1) {
      sizes.shift();
      continue;
    }
    const answer = judge(ended, 'read', options);
    if (answer.kind !== 'done') return answer;
    const { json } = answer.value;
    if (!Array.isArray(json)) return outcomeOfWeather(answer.value, 'read', WORDPRESS_LABEL);
    const ours = json.filter((entry) => hasMarker(String(field(field(entry, 'content'), 'raw') ?? ''), canonicalUrl));
    // What readers see counts more than a draft.
    const entry = ours.find((candidate) => field(candidate, 'status') === 'publish') ?? ours[0];
    const post = entry === undefined ? null : readPost(entry);
    if (entry !== undefined && !post) return outcomeOfStrangePost(WORDPRESS_LABEL);
    if (post || json.length < size) return { kind: 'done', value: post };
    offset += size;
  }
  const reason = `${WORDPRESS_LABEL} lists too many posts that may be this article to look through them all.`;
  return { kind: 'unavailable', reason };
}

/** A post on the site as it is now. */
interface PresentPost extends RemotePost {
  /** As `withdraw` leaves it. */
  isDraft: boolean;
}

/** `done` with null where the post is gone or in the trash. */
export async function readPresent(
  options: ClientOptions,
  remoteId: string,
  intent: 'update' | 'withdraw',
): Promise<Outcome<PresentPost | null>> {
  // WordPress numbers its posts; it would say of anything else that it has no such route.
  if (!/^\d{1,15}$/.test(remoteId)) return { kind: 'done', value: null };
  const query = { context: 'edit', _fields: POST_FIELDS };
  const answer = await callWordPress(options, { method: 'GET', route: `/wp/v2/posts/${remoteId}`, query }, intent);
  if (answer.kind === 'rejected' && answer.code === 'remote_gone') return { kind: 'done', value: null };
  if (answer.kind !== 'done') return answer;
  const status = field(answer.value.json, 'status');
  if (status === 'trash') return { kind: 'done', value: null };
  const post = readPost(answer.value.json);
  return post
    ? { kind: 'done', value: { ...post, isDraft: status === 'draft' } }
    : outcomeOfWeather(answer.value, intent, WORDPRESS_LABEL);
}

/** `2026-11-21T04:54:25`, in UTC without saying so. */
function readGmt(value: unknown): string | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(value)) return null;
  return readTime(`${value}Z`);
}
