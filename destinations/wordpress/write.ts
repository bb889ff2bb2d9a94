/** Sends the requests that change a post, and reports a cover that the site silently ignored. */
import type { Notice } from '../../article/types.ts';
import { readField } from '../http/read-field.ts';
import type { Outcome, RemotePost } from '../types.ts';
import type { WordPressCaller } from './call.ts';
import type { WordPressPayload } from './format.ts';
import { LABEL } from './limits.ts';
import { POST_FIELDS, readPost } from './posts.ts';

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

export async function withdrawPost(caller: WordPressCaller, remoteId: string): Promise<Outcome<null>> {
  const request = {
    method: 'POST',
    route: `/wp/v2/posts/${remoteId}`,
    query: { _fields: POST_FIELDS },
    body: { status: 'draft' },
  } as const;
  return caller.call(request, 'withdraw', ({ json }) => (readPost(json) ? null : undefined));
}

/**
 * WordPress responds with 200 or 201 although it ignored the cover: a plugin or a cleaned library
 * may have removed the picture.
 */
function noticeIgnoredCover(sent: number | null, stored: unknown): Notice[] {
  if (!sent || stored === sent) return [];
  const message = `${LABEL} did not accept the cover: the post shows none or the previous one. Set it there, or publish again.`;
  return [{ code: 'cover_ignored', message, path: 'cover_image' }];
}
