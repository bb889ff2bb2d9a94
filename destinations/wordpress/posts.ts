/** Reads a site's posts, and lists the fields that are requested. */
import { readField, readText } from '../http/read-field.ts';
import { readRemotePost, readTime } from '../posts/remote-post.ts';
import type { Outcome, RemotePost } from '../types.ts';
import type { WordPressCaller } from './call.ts';
import { readMarker } from './html/marker.ts';

/** Only these, so that the site does not render the complete post. */
export const POST_FIELDS = 'id,link,status,modified_gmt';

/** Includes the complete text, because the marker is at its end. */
const MAX_POST_BYTES = 32 * 1024 * 1024;

/** The current state of a post on the site. */
export interface PresentPost extends RemotePost {
  /** The state of a post after `withdraw`. */
  isDraft: boolean;
  slug: string;
  /** The number of the post's user. Null if the site omits it. */
  author: number | null;
  /** The canonical URL in our line at its end. Null without that line. */
  marker: string | null;
}

export function readPost(json: unknown): RemotePost | undefined {
  const changedAt = readGmt(readField(json, 'modified_gmt'));
  return readRemotePost(readField(json, 'id'), readField(json, 'link'), changedAt) ?? undefined;
}

/** `done` with null if the post is gone or in the trash. */
export async function readPresent(
  caller: WordPressCaller,
  remoteId: string,
  intent: 'update' | 'withdraw',
): Promise<Outcome<PresentPost | null>> {
  // WordPress numbers its posts. For any other id it would respond that there is no such route.
  if (!/^\d{1,15}$/.test(remoteId)) return { kind: 'done', value: null };
  const query = { context: 'edit', _fields: `${POST_FIELDS},slug,author,content.raw` };
  const route = `/wp/v2/posts/${remoteId}`;
  const request = { method: 'GET', route, query, maxBytes: MAX_POST_BYTES } as const;
  const present = await caller.call(request, intent, ({ json }) => {
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
  });
  const isGone = present.kind === 'rejected' && present.code === 'remote_gone';
  return isGone ? { kind: 'done', value: null } : present;
}

/** `2026-11-21T04:54:25`: UTC without an offset. */
function readGmt(value: unknown): string | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(value)) return null;
  return readTime(`${value}Z`);
}
