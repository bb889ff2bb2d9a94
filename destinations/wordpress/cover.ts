/**
 * Brings an article's cover into a site's media library: WordPress fetches no addresses. The file is named by what is in
 * it and looked for first, so that neither a repeat nor a lost answer brings it there twice. A cover that cannot be had
 * is left out: it is never a reason to hold back the article.
 */

import { createHash } from 'node:crypto';
import { elsewhere } from '../http/context.ts';
import { download } from '../http/download.ts';
import { field } from '../http/json-fields.ts';
import type { ClientOptions, Outcome } from '../types.ts';
import { callWordPress } from './call.ts';

const MOST_BYTES = 10 * 1024 * 1024;
/** Of the time that preparing may take, so that the upload has some left. */
const DOWNLOAD_MS = 8000;

type MediaId = Outcome<number | null>;

/** The number of the cover in the library; null where it is not to be had. Other failures are the site's as a whole. */
export async function resolveCover(options: ClientOptions, cover: { url: string; alt: string }): Promise<MediaId> {
  const timeoutMs = Math.min(options.timeoutMs, DOWNLOAD_MS);
  const file = await download(cover.url, { ...elsewhere(options), timeoutMs, maxBytes: MOST_BYTES });
  if (file.kind === 'failed') return LEFT_OUT;
  const type = imageType(file.bytes);
  if (type === null) return LEFT_OUT;
  const name = `courant-${createHash('sha256').update(file.bytes).digest('hex').slice(0, 16)}`;
  const present = await findMedia(options, name);
  // Without knowing, nothing is uploaded: the library would fill with copies.
  if (present.kind === 'unavailable' || present.kind === 'rejected') return LEFT_OUT;
  if (present.kind !== 'done' || present.value !== null) return present;
  const uploaded = await callWordPress(
    options,
    {
      method: 'POST',
      route: '/wp/v2/media',
      query: { slug: name, alt_text: cover.alt, _fields: 'id' },
      bytes: file.bytes,
      headers: {
        'content-type': type.mime,
        'content-disposition': `attachment; filename="${name}.${type.ending}"`,
      },
    },
    'update',
  );
  if (uploaded.kind === 'done') {
    const id = field(uploaded.value.json, 'id');
    return { kind: 'done', value: typeof id === 'number' ? id : null };
  }
  if (uploaded.kind === 'rejected') return LEFT_OUT;
  // A site that runs out of memory over the smaller sizes has kept the file all the same.
  if (uploaded.kind === 'rateLimited') return uploaded;
  const kept = await findMedia(options, name);
  return kept.kind === 'done' ? kept : LEFT_OUT;
}

async function findMedia(options: ClientOptions, slug: string): Promise<MediaId> {
  const query = { slug, per_page: '1', _fields: 'id' };
  const answer = await callWordPress(options, { method: 'GET', route: '/wp/v2/media', query }, 'read');
  if (answer.kind !== 'done') return answer;
  const id = Array.isArray(answer.value.json) ? field(answer.value.json[0], 'id') : undefined;
  return { kind: 'done', value: typeof id === 'number' ? id : null };
}

const LEFT_OUT: MediaId = { kind: 'done', value: null };

/** What the bytes are, whatever their server calls them; null for what WordPress does not take everywhere. */
export function imageType(bytes: Uint8Array): { mime: string; ending: string } | null {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return { mime: 'image/png', ending: 'png' };
  if (head.startsWith('\xff\xd8\xff')) return { mime: 'image/jpeg', ending: 'jpg' };
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return { mime: 'image/gif', ending: 'gif' };
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return { mime: 'image/webp', ending: 'webp' };
  return null;
}
