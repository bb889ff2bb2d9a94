/** Fetches one picture of a post. Detects its type by its first bytes. */
import { type ImageName, nameImage } from '../article/images/image-name.ts';
import { findImageType } from '../article/images/image-types.ts';
import { refuseSource, requestSource } from './fetch.ts';
import type { RequestContext, SourceResult } from './types.ts';

export interface FetchedImage {
  name: ImageName;
  bytes: Uint8Array;
}

const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
const ACCEPT = 'image/avif,image/webp,image/png,image/jpeg,image/gif;q=0.9';

export async function fetchImage(url: string, context: RequestContext): Promise<SourceResult<FetchedImage>> {
  const request = {
    method: 'GET',
    url,
    headers: { accept: ACCEPT },
    maxBytes: MAX_IMAGE_BYTES,
    name: 'The picture',
  } as const;
  const answer = await requestSource(request, context);
  if (answer.kind !== 'done') return answer;
  const { status, bytes } = answer.value;
  if (status !== 200) return refuseSource('image_refused', `Its server refuses access (HTTP ${status}).`);
  const type = findImageType(bytes);
  if (type === null)
    return refuseSource('no_image', 'It is not a PNG, JPEG, GIF, WebP or AVIF picture; other types are not copied.');
  return { kind: 'done', value: { name: nameImage(bytes, type), bytes } };
}
