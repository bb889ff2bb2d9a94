/** Minimal pictures of each type, valid in their first bytes. */
import { nameImage } from '../../../../article/images/image-name.ts';

/** One pixel; `mark` makes the picture unique. */
export function makePng(mark = ''): Buffer {
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
  return Buffer.concat([Buffer.from(pixel, 'base64'), Buffer.from(mark)]);
}

export const PICTURES = {
  png: makePng(),
  jpg: Buffer.from('ffd8ffe000104a46494600', 'hex'),
  gif: Buffer.from('GIF89a\x01\x00\x01\x00'),
  webp: Buffer.from('RIFF\x10\x00\x00\x00WEBPVP8 '),
  avif: Buffer.from('\x00\x00\x00\x1cftypmif1\x00\x00\x00\x00mif1avifmiaf', 'latin1'),
} as const;

export const PNG_NAME = nameImage(PICTURES.png, 'png');
