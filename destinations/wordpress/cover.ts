/**
 * Uploads a cover to a site's media library, because WordPress does not fetch addresses. The file
 * is named by a hash and searched for first, so that no repeat uploads it twice. A failed upload
 * omits the cover, notifies the author and never delays the article.
 */
import { createHash } from 'node:crypto';
import type { Notice } from '../../article/types.ts';
import { downloadImage, type Image } from '../http/image.ts';
import { readField } from '../http/read-field.ts';
import type { ClientOptions, Outcome } from '../types.ts';
import type { WordPressCaller } from './call.ts';
import { LABEL } from './limits.ts';

type MediaId = Outcome<number | null>;

/** `id` is the cover's number in the library: 0 for no cover, null for an omitted one. */
type Cover = Outcome<{ id: number | null; notices: Notice[] }>;

/** For an article without a cover. */
export const NO_COVER: Cover = { kind: 'done', value: { id: 0, notices: [] } };

/** Failures concern the site as a whole. */
export async function uploadCover(
  caller: WordPressCaller,
  options: ClientOptions,
  cover: { url: string; alt: string },
): Promise<Cover> {
  const image = await downloadImage(cover.url, options);
  if (image === null) return omitCover(NOT_FETCHED);
  const media = await storeImage(caller, image, cover.alt);
  if (media.kind !== 'done') return media;
  return media.value === null ? omitCover(NOT_ACCEPTED) : { kind: 'done', value: { id: media.value, notices: [] } };
}

/** Null if the site did not accept the image. */
async function storeImage(caller: WordPressCaller, image: Image, alt: string): Promise<MediaId> {
  const name = `courant-${createHash('sha256').update(image.bytes).digest('hex').slice(0, 16)}`;
  const present = await findMedia(caller, name);
  // Without this response nothing is uploaded, because the library would fill with copies.
  if (present.kind === 'unavailable' || present.kind === 'rejected') return NO_MEDIA;
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
  if (uploaded.kind === 'rejected') return NO_MEDIA;
  // A site that fails to create the smaller sizes has stored the file nevertheless.
  const stored = await findMedia(caller, name);
  return stored.kind === 'done' ? stored : NO_MEDIA;
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

const NO_MEDIA: MediaId = { kind: 'done', value: null };

const NOT_FETCHED =
  'it could not be downloaded from its address, or is not a PNG, JPEG, GIF or WebP picture of at most 10 MiB';
const NOT_ACCEPTED =
  'the site did not add the picture to its media library; the account may lack permission to upload files';

function omitCover(reason: string): Cover {
  const message = `The cover was not added to the post on ${LABEL}: ${reason}.`;
  return { kind: 'done', value: { id: null, notices: [{ code: 'cover_left_out', message, path: 'cover_image' }] } };
}
