/**
 * Detects image types by their first bytes. No SVG: it can contain scripts. Also runs in browsers,
 * which have no `Buffer`.
 */

export const IMAGE_TYPES = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
} as const;

export type ImageType = keyof typeof IMAGE_TYPES;

export function findImageType(bytes: Uint8Array): ImageType | null {
  const text = (from: number, to: number) => decodeLatin1(bytes.subarray(from, to));
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return 'png';
  if (text(0, 3) === '\xff\xd8\xff') return 'jpg';
  if (/^GIF8[79]a$/.test(text(0, 6))) return 'gif';
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'webp';
  return text(4, 8) === 'ftyp' && listBrands(bytes).some((brand) => /^avi[fs]$/.test(brand)) ? 'avif' : null;
}

/** The major and compatible brands of the `ftyp` box of an ISO file; byte 12 is its version. */
function listBrands(bytes: Uint8Array): string[] {
  const box = bytes.subarray(0, MAX_BOX_BYTES);
  const end = Math.min(box.length, new DataView(box.buffer, box.byteOffset, box.length).getUint32(0));
  const brands: string[] = [];
  for (let at = 8; at + 4 <= end; at += 4) if (at !== 12) brands.push(decodeLatin1(box.subarray(at, at + 4)));
  return brands;
}

function decodeLatin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

const MAX_BOX_BYTES = 256;
