/** Fetches the cover of an article for platforms that want the file itself. */
import type { ClientOptions } from '../types.ts';
import { buildOutsideContext } from './context.ts';
import { download } from './download.ts';

const MAX_BYTES = 10 * 1024 * 1024;
/** Leaves time for the upload: preparing has a deadline of its own. */
const DOWNLOAD_MS = 8000;

export interface Image {
  bytes: Uint8Array;
  type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
}

/** Null where it cannot be downloaded, or is no image of a type that platforms take. */
export async function downloadImage(address: string, options: ClientOptions): Promise<Image | null> {
  const timeoutMs = Math.min(options.timeoutMs, DOWNLOAD_MS);
  const file = await download(address, { ...buildOutsideContext(options), timeoutMs, maxBytes: MAX_BYTES });
  const type = file.kind === 'file' ? readImageType(file.bytes) : null;
  return file.kind === 'file' && type !== null ? { bytes: file.bytes, type } : null;
}

/**
 * By the bytes, whatever type their server gives. The libraries that do this (image-type on file-type) bring parsers of some two hundred formats
 * that walk through a stranger's file, and call an animated PNG a type that no platform takes; four prefixes are all that is needed.
 */
function readImageType(bytes: Uint8Array): Image['type'] | null {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(head)) return 'image/gif';
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return 'image/webp';
  return null;
}
