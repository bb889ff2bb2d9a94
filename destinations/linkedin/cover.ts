/**
 * Uploads an article's cover to LinkedIn, where the card of a post names it: LinkedIn does not read the page itself. An
 * image that no post names is not shown, so a second upload does no harm. A cover that cannot be uploaded is left out: it
 * is never a reason to hold back the post.
 */
import { downloadImage } from '../http/image.ts';
import { readText } from '../http/read-field.ts';
import type { ClientOptions, Outcome } from '../types.ts';
import type { LinkedinCaller } from './call.ts';

const IMAGE_URN = /^urn:li:image:[\w-]{1,100}$/;

/** The image's URN; null where the cover is left out. Other failures concern LinkedIn as a whole. */
export async function uploadCover(
  caller: LinkedinCaller,
  options: ClientOptions,
  owner: string,
  cover: string,
): Promise<Outcome<string | null>> {
  const image = await downloadImage(cover, options);
  // LinkedIn takes PNG, JPEG and GIF.
  if (image === null || image.type === 'image/webp') return LEFT_OUT;
  const path = '/rest/images?action=initializeUpload';
  const body = { initializeUploadRequest: { owner } };
  const place = await caller.call({ method: 'POST', path, body }, 'read', ({ json }) => ({
    url: readText(json, 'value', 'uploadUrl'),
    urn: readText(json, 'value', 'image'),
  }));
  if (place.kind === 'rejected') return LEFT_OUT;
  if (place.kind !== 'done') return place;
  const { url, urn } = place.value;
  if (url === null || urn === null || !IMAGE_URN.test(urn)) return LEFT_OUT;
  return (await caller.upload(url, image.bytes)) ? { kind: 'done', value: urn } : LEFT_OUT;
}

const LEFT_OUT: Outcome<null> = { kind: 'done', value: null };
