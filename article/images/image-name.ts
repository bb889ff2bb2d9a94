/** The name of a stored picture: the hash of its bytes and its type. */
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

export function formatImageName({ hash, type }: ImageName): string {
  return `${hash}.${type}`;
}

/** Returns null unless the text is exactly a name, so that a request cannot reach another file. */
export function parseImageName(text: string): ImageName | null {
  const [, hash, type] = /^([\da-f]{64})\.(png|jpg|gif|webp|avif)$/.exec(text) ?? [];
  return hash === undefined ? null : { hash, type: type as ImageType };
}

export const IMAGES_PATH = '/images';

export function buildImageUrl(baseUrl: string, name: ImageName): string {
  return `${baseUrl}${IMAGES_PATH}/${formatImageName(name)}`;
}
