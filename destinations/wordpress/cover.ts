/**
 * Uploads an article's cover to a site's media library: WordPress does not fetch addresses. The file is named by a hash of
 * its content and looked for first, so that neither a repeat nor a lost answer uploads it twice. A cover that cannot be
 * uploaded is left out, and its author told: it is never a reason to hold back the article.
 */
import { createHash } from 'node:crypto';
import type { Notice } from '../../article/types.ts';
import { downloadImage, type Image } from '../http/image.ts';
import { readField } from '../http/read-field.ts';
import type { ClientOptions, Outcome } from '../types.ts';
import type { WordPressCaller } from './call.ts';
import { LABEL } from './limits.ts';

type MediaId = Outcome<number | null>;

/** `id` is the number of the cover in the library: 0 for no cover, null for one that is left out. */
type Cover = Outcome<{ id: number | null; notices: Notice[] }>;

/** For an article that has none. */
export const NO_COVER: Cover = { kind: 'done', value: { id: 0, notices: [] } };

/** Failures concern the site as a whole. */
export async function uploadCover(
  caller: WordPressCaller,
  options: ClientOptions,
  cover: { url: string; alt: string },
): Promise<Cover> {
  const image = await downloadImage(cover.url, options);
  if (image === null) return leaveOut(NOT_FETCHED);
  const media = await placeImage(caller, image, cover.alt);
  if (media.kind !== 'done') return media;
  return media.value === null ? leaveOut(NOT_TAKEN) : { kind: 'done', value: { id: media.value, notices: [] } };
}

/** Null where the site did not take it. */
async function placeImage(caller: WordPressCaller, image: Image, alt: string): Promise<MediaId> {
  const name = `courant-${createHash('sha256').update(image.bytes).digest('hex').slice(0, 16)}`;
  const present = await findMedia(caller, name);
  // Without that answer nothing is uploaded: the library would fill with copies.
  if (present.kind === 'unavailable' || present.kind === 'rejected') return NOT_THERE;
  if (present.kind !== 'done' || present.value !== null) return present;
  const uploaded = await caller.call(
    {
      method: 'POST',
      route: '/wp/v2/media',
      query: { slug: name, alt_text: alt, _fields: 'id' },
      bytes: image.bytes,
      headers: {
        'content-type': image.type,
        'content-disposition': `attachment; filename="${name}.${ENDINGS[image.type]}"`,
      },
    },
    'update',
    ({ json }) => readId(json),
  );
  if (uploaded.kind === 'done' || uploaded.kind === 'rateLimited') return uploaded;
  if (uploaded.kind === 'rejected') return NOT_THERE;
  // A site that runs out of memory while it makes the smaller sizes has kept the file all the same.
  const kept = await findMedia(caller, name);
  return kept.kind === 'done' ? kept : NOT_THERE;
}

function findMedia(caller: WordPressCaller, slug: string): Promise<MediaId> {
  const query = { slug, per_page: '1', _fields: 'id' };
  return caller.call({ method: 'GET', route: '/wp/v2/media', query }, 'read', ({ json }) =>
    Array.isArray(json) ? readId(json[0]) : null,
  );
}

function readId(json: unknown): number | null {
  const id = readField(json, 'id');
  return typeof id === 'number' ? id : null;
}

const ENDINGS: Record<Image['type'], string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

const NOT_THERE: MediaId = { kind: 'done', value: null };

const NOT_FETCHED =
  'it could not be downloaded from its address, or is no PNG, JPEG, GIF or WebP picture of at most 10 MiB';
const NOT_TAKEN =
  'the site did not take the picture into its media library; the account may lack the right to upload files';

function leaveOut(why: string): Cover {
  const message = `The post on ${LABEL} did not get the cover: ${why}.`;
  return { kind: 'done', value: { id: null, notices: [{ code: 'cover_left_out', message, path: 'cover_image' }] } };
}
