/**
 * Reads, writes and withdraws the posts of a site. A site has many authors, an editor's credential
 * may change all posts, and a restored site reuses ids. So a post is changed only if its contents
 * prove that it belongs to the article.
 */
import type { Notice } from '../../article/types.ts';
import { reject, rejectDeleted } from '../http/failures.ts';
import { readField, readText } from '../http/read-field.ts';
import { isSameCanonical } from '../posts/canonical.ts';
import { readRemotePost, readTime } from '../posts/remote-post.ts';
import type { Outcome, RemotePost } from '../types.ts';
import type { WordPressCaller } from './call.ts';
import type { WordPressPayload } from './format.ts';
import { readMarker } from './html/marker.ts';
import { LABEL } from './limits.ts';

/** Only these, so that the site does not render the complete post. */
export const POST_FIELDS = 'id,link,status,modified_gmt';

/** Includes the complete text, because the marker is at its end. */
const MAX_POST_BYTES = 32 * 1024 * 1024;

/** The current state of a post on the site. */
interface PresentPost extends RemotePost {
  /** The state of a post after `withdrawPost`. */
  isDraft: boolean;
  slug: string;
  /** The number of the post's user. Null if the site omits it. */
  author: number | null;
  /** The canonical URL in our line at its end. Null without that line. */
  marker: string | null;
}

interface Target {
  remoteId: string;
  userId: number;
  article: { canonicalUrl: string | null; slug: string } | undefined;
  intent: 'update' | 'withdraw';
}

export function readPost(json: unknown): RemotePost | undefined {
  const changedAt = readGmt(readField(json, 'modified_gmt'));
  return readRemotePost(readField(json, 'id'), readField(json, 'link'), changedAt) ?? undefined;
}

/** Reads a post before a change. One in the trash is gone: a write would publish it again. */
export async function readOwnPost(caller: WordPressCaller, target: Target): Promise<Outcome<PresentPost>> {
  const { remoteId, userId, article, intent } = target;
  // WordPress numbers its posts. For any other id it would respond that there is no such route.
  if (!/^\d{1,15}$/.test(remoteId)) return rejectDeleted(LABEL);
  const query = { context: 'edit', _fields: `${POST_FIELDS},slug,author,content.raw` };
  const request = { method: 'GET', route: `/wp/v2/posts/${remoteId}`, query, maxBytes: MAX_POST_BYTES } as const;
  const present = await caller.call(request, intent, ({ json }) => readPresent(json));
  if (present.kind !== 'done') return present;
  if (present.value === null) return rejectDeleted(LABEL);
  if (isOurs(present.value, userId, article)) return { kind: 'done', value: present.value };
  return reject(
    'remote_not_ours',
    `Post ${remoteId} on WordPress does not belong to this article: it has another author, or lacks the line that names the original. It was not changed.`,
  );
}

/** Null if the post is in the trash. */
function readPresent(json: unknown): PresentPost | null | undefined {
  const status = readField(json, 'status');
  if (status === 'trash') return null;
  const post = readPost(json);
  const author = readField(json, 'author');
  return (
    post && {
      ...post,
      isDraft: status === 'draft',
      slug: readText(json, 'slug') ?? '',
      author: typeof author === 'number' ? author : null,
      marker: readMarker(readText(json, 'content', 'raw') ?? ''),
    }
  );
}

/**
 * Our line with this article's canonical URL is proof, even if an editor changed the author. A post
 * of the user with another URL in our line counts too, because canonical URLs can change. Without
 * the line, our slug decides.
 */
function isOurs({ author, marker, slug }: PresentPost, userId: number, article: Target['article']): boolean {
  if (marker !== null && isSameCanonical(marker, article?.canonicalUrl)) return true;
  if (author !== null && author !== userId) return false;
  return marker !== null || (article !== undefined && listSlugs(article.slug).includes(slug));
}

/** WordPress adds a number to a slug that is in use. Numbers above ten belong to other articles. */
export function listSlugs(slug: string): string[] {
  return [slug, ...Array.from({ length: 9 }, (_, index) => `${slug}-${index + 2}`)];
}

export function writePost(
  caller: WordPressCaller,
  route: string,
  payload: WordPressPayload,
  intent: 'create' | 'update',
): Promise<Outcome<RemotePost>> {
  const { post, slug, ids } = payload;
  const media = ids?.featuredMedia ?? null;
  const body = {
    ...post,
    status: 'publish',
    ...(ids === undefined ? {} : { tags: ids.tags }),
    ...(media === null ? {} : { featured_media: media }),
    // An update omits the slug, because changing it would break the links to the post.
    ...(intent === 'create' ? { slug } : {}),
  };
  const query = { _fields: `${POST_FIELDS},featured_media` };
  return caller.call({ method: 'POST', route, query, body }, intent, ({ json }) => {
    const written = readPost(json);
    const notices = [...(ids?.notices ?? []), ...noticeIgnoredCover(media, readField(json, 'featured_media'))];
    return written && (notices.length === 0 ? written : { ...written, notices });
  });
}

/** A draft, not the trash: WordPress empties the trash after a month, comments included. */
export function withdrawPost(caller: WordPressCaller, remoteId: string): Promise<Outcome<null>> {
  const query = { _fields: POST_FIELDS };
  const request = { method: 'POST', route: `/wp/v2/posts/${remoteId}`, query, body: { status: 'draft' } } as const;
  return caller.call(request, 'withdraw', ({ json }) => (readPost(json) ? null : undefined));
}

/** WordPress also responds with 200 or 201 if it ignored the cover. */
function noticeIgnoredCover(sent: number | null, stored: unknown): Notice[] {
  if (!sent || stored === sent) return [];
  const message = `${LABEL} did not accept the cover: the post shows none or the previous one. Set it there, or publish again.`;
  return [{ code: 'cover_ignored', message, path: 'cover_image' }];
}

/** `2026-11-21T04:54:25`: UTC without an offset. */
function readGmt(value: unknown): string | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(value)) return null;
  return readTime(`${value}Z`);
}
