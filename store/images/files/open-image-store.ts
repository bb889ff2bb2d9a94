/** Opens the picture store that the settings select. */
import { createFileImages } from './file-images.ts';
import type { ImageStore } from './image-store.ts';
import { createS3Images, type S3Settings } from './s3-images.ts';

/** `imagesS3` is null if pictures are stored as files in a folder of `home`. */
export function openImageStore({ home, imagesS3 }: { home: string; imagesS3: S3Settings | null }): ImageStore {
  return imagesS3 === null ? createFileImages(`${home}/images`) : createS3Images(imagesS3);
}
