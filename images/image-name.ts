/** What a picture is called: the hash of its bytes, and what it is. The same bytes have one name, and a name never means other bytes. */
import { createHash } from 'node:crypto';
import type { ImageType } from './image-types.ts';

export interface ImageName {
  /** SHA-256 in lower-case hexadecimal digits. */
  hash: string;
  type: ImageType;
}

export function nameImage(bytes: Uint8Array, type: ImageType): ImageName {
  return { hash: createHash('sha256').update(bytes).digest('hex'), type };
}

/** As it stands in addresses and folders. */
export function writeImageName({ hash, type }: ImageName): string {
  return `${hash}.${type}`;
}

/** Null for everything that is not exactly a name: what is read leads to no other file. */
export function readImageName(text: string): ImageName | null {
  const [, hash, type] = /^([\da-f]{64})\.(png|jpg|gif|webp|avif)$/.exec(text) ?? [];
  return hash === undefined ? null : { hash, type: type as ImageType };
}

export const IMAGES_PATH = '/images';

export function buildImageUrl(baseUrl: string, name: ImageName): string {
  return `${baseUrl}${IMAGES_PATH}/${writeImageName(name)}`;
}
