/** Dependencies for workers of tests without imports. */
import type { ActivityDeps } from '../../activities/deps.ts';
import { createFileImages } from '../../store/images/files/file-images.ts';

export const NO_IMPORTS: Pick<
  ActivityDeps,
  'conversions' | 'storageLimit' | 'images' | 'imagesLimit' | 'imagePausesMs'
> = {
  conversions: {
    readFeed: async () => 'busy',
    convert: async () => 'busy',
    replaceImages: async () => 'busy',
    close: async () => undefined,
  },
  storageLimit: 1024 * 1024,
  images: createFileImages('/nowhere'),
  imagesLimit: 0,
  imagePausesMs: [],
};
