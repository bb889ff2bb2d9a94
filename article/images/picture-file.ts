/** Recognises a picture that an author tries to open as a document, and names the alternative. */
import { findImageType } from './image-types.ts';

export const PICTURES_NOT_ACCEPTED_MESSAGE =
  'Pictures cannot be uploaded yet. Put the picture online elsewhere and write its address in the article: ![What it shows](https://example.org/picture.png)';

const PICTURE_NAME = /\.(?:avif|bmp|gif|heic|ico|jpe?g|png|svg|tiff?|webp)$/i;

/** `type` is the media type from the browser, which may be empty. 256 bytes are enough. */
export function isPicture(
  { name, type = '' }: { name: string; type?: string },
  bytes: Uint8Array = new Uint8Array(),
): boolean {
  return type.startsWith('image/') || PICTURE_NAME.test(name) || findImageType(bytes) !== null;
}
