/**
 * Brings an article's cover to LinkedIn, where the card of a post names it: LinkedIn reads no page by itself. An image
 * that no post names is seen by nobody, so a second upload does no harm. A cover that cannot be had is left out: it is
 * never a reason to hold back the post.
 */

import { elsewhere } from '../http/context.ts';
import { download } from '../http/download.ts';
import { exchange } from '../http/exchange.ts';
import { isObject } from '../http/json-fields.ts';
import type { ClientOptions, Outcome } from '../types.ts';
import { authorization, judgeLinkedin, sendLinkedin } from './call.ts';

const MOST_BYTES = 10 * 1024 * 1024;
/** Of the time that preparing may take, so that the upload has some left. */
const DOWNLOAD_MS = 8000;

const IMAGE_URN = /^urn:li:image:[\w-]{1,100}$/;

/** The image's URN; null where it is not to be had. Other failures are LinkedIn's as a whole. */
export async function uploadThumbnail(
  options: ClientOptions,
  owner: string,
  cover: string,
): Promise<Outcome<string | null>> {
  const timeoutMs = Math.min(options.timeoutMs, DOWNLOAD_MS);
  const file = await download(cover, { ...elsewhere(options), timeoutMs, maxBytes: MOST_BYTES });
  if (file.kind === 'failed' || !isKnownImage(file.bytes)) return LEFT_OUT;
  const path = '/rest/images?action=initializeUpload';
  const body = { initializeUploadRequest: { owner } };
  const answer = judgeLinkedin(await sendLinkedin(options, { method: 'POST', path, body }), 'read', options);
  if (answer.kind === 'rejected') return LEFT_OUT;
  if (answer.kind !== 'done') return answer;
  const value = isObject(answer.value.json) ? answer.value.json.value : undefined;
  const { uploadUrl, image } = isObject(value) ? value : {};
  if (typeof uploadUrl !== 'string' || typeof image !== 'string' || !IMAGE_URN.test(image)) return LEFT_OUT;
  return (await putBytes(options, uploadUrl, file.bytes)) ? { kind: 'done', value: image } : LEFT_OUT;
}

async function putBytes(options: ClientOptions, url: string, bytes: Uint8Array): Promise<boolean> {
  if (!isOfLinkedin(url, options.connection.baseUrl)) return false;
  const headers = { ...authorization(options), 'content-type': 'application/octet-stream' };
  const ended = await exchange({ method: 'PUT', url, bytes, headers }, elsewhere(options));
  return ended.kind === 'answer' && ended.status >= 200 && ended.status < 300;
}

/** The token goes along, so the bytes go to LinkedIn's own hosts, or to where the connection leads anyway. */
function isOfLinkedin(address: string, baseUrl: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  const isTheirs = url.protocol === 'https:' && /(?:^|\.)linkedin\.com$/.test(url.hostname);
  return isTheirs || (URL.canParse(baseUrl) && url.origin === new URL(baseUrl).origin);
}

/** By the bytes, whatever their server calls them: PNG, JPEG and GIF are all that LinkedIn takes. */
function isKnownImage(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 8)).toString('latin1');
  return head === '\x89PNG\r\n\x1a\n' || head.startsWith('\xff\xd8\xff') || /^GIF8[79]a/.test(head);
}

const LEFT_OUT: Outcome<null> = { kind: 'done', value: null };
