/**
 * Uploads an article's cover to a site's media library: WordPress does not fetch addresses. The file is named by a hash of
 * its content and looked for first, so that neither a repeat nor a lost answer uploads it twice. A cover that cannot be
 * uploaded is left out: it is never a reason to hold back the article.
 */
import { createHash } from 'node:crypto';
import { downloadImage, type Image } from '../http/image.ts';
import { readField } from '../http/read-field.ts';
import type { ClientOptions, Outcome } from '../types.ts';
import type { WordPressCaller } from './call.ts';

type MediaId = Outcome<number | null>;

/** The number of the cover in the library; null where it is left out. Other failures concern the site as a whole. */
export async function uploadCover(
  caller: WordPressCaller,
  options: ClientOptions,
  cover: { url: string; alt: string },
): Promise<MediaId> {
  const image = await downloadImage(cover.url, options);
  if (image === null) return LEFT_OUT;
  const name = `courant-${createHash('sha256').update(image.bytes).digest('hex').slice(0, 16)}`;
  const present = await findMedia(caller, name);
  // Without that answer nothing is uploaded: the library would fill with copies.
  if (present.kind === 'unavailable' || present.kind === 'rejected') return LEFT_OUT;
  if (present.kind !== 'done' || present.value !== null) return present;
  const uploaded = await caller.call(
    {
      method: 'POST',
      route: '/wp/v2/media',
      query: { slug: name, alt_text: cover.alt, _fields: 'id' },
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
  if (uploaded.kind === 'rejected') return LEFT_OUT;
  // A site that runs out of memory while it makes the smaller sizes has kept the file all the same.
  const kept = await findMedia(caller, name);
  return kept.kind === 'done' ? kept : LEFT_OUT;
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

const LEFT_OUT: MediaId = { kind: 'done', value: null };
