/**
 * Uploads an article's cover to LinkedIn, which does not read the page. The post's card names the
 * image. An image without a post is not shown, so a second upload does no harm. A failed upload
 * omits the cover and never delays the post.
 */
import { downloadImage } from '../http/image.ts';
import { readText } from '../http/read-field.ts';
import type { ClientOptions, Outcome } from '../types.ts';
import type { LinkedinCaller } from './call.ts';

const IMAGE_URN = /^urn:li:image:[\w-]{1,100}$/;

/** The image's URN, or null if the cover is omitted. Other failures concern LinkedIn as a whole. */
export async function uploadCover(
  caller: LinkedinCaller,
  options: ClientOptions,
  owner: string,
  cover: string,
): Promise<Outcome<string | null>> {
  const image = await downloadImage(cover, options);
  // LinkedIn accepts PNG, JPEG and GIF.
  if (image === null || image.type === 'image/webp') return NO_COVER;
  const path = '/rest/images?action=initializeUpload';
  const body = { initializeUploadRequest: { owner } };
  const slot = await caller.call({ method: 'POST', path, body }, 'read', ({ json }) => ({
    url: readText(json, 'value', 'uploadUrl'),
    urn: readText(json, 'value', 'image'),
  }));
  if (slot.kind === 'rejected') return NO_COVER;
  if (slot.kind !== 'done') return slot;
  const { url, urn } = slot.value;
  if (url === null || urn === null || !IMAGE_URN.test(urn)) return NO_COVER;
  return (await caller.upload(url, image.bytes)) ? { kind: 'done', value: urn } : NO_COVER;
}

const NO_COVER: Outcome<null> = { kind: 'done', value: null };
