/** Downloads the cover of an article for platforms that require the file itself. */
import type { ClientOptions } from '../types.ts';
import { buildContext } from './caller.ts';
import { download } from './download.ts';

const MAX_BYTES = 10 * 1024 * 1024;
/** Leaves time for the upload, because `prepare` has a deadline. */
const DOWNLOAD_MS = 8000;

export interface Image {
  bytes: Uint8Array;
  type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
}

/** Null if the download fails, or the file is not an image of a type that platforms accept. */
export async function downloadImage(address: string, options: ClientOptions): Promise<Image | null> {
  const timeoutMs = Math.min(options.timeoutMs, DOWNLOAD_MS);
  const file = await download(address, { ...buildContext(options), timeoutMs, maxBytes: MAX_BYTES });
  const type = file.kind === 'file' ? readImageType(file.bytes) : null;
  return file.kind === 'file' && type !== null ? { bytes: file.bytes, type } : null;
}

/**
 * Reads the bytes, not the server's type. Libraries for this (image-type on file-type) run parsers
 * of some two hundred formats on a stranger's file. They also classify an animated PNG as a type
 * that no platform accepts. Four prefixes suffice.
 */
function readImageType(bytes: Uint8Array): Image['type'] | null {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(head)) return 'image/gif';
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return 'image/webp';
  return null;
}
