/** Maps each source key to its implementation. */
import type { ImportSource } from '../article/import/import-address.ts';
import { feedSource } from './feed.ts';
import { foremSource } from './forem.ts';
import { hashnodeSource } from './hashnode.ts';
import { mediumSource } from './medium.ts';
import type { Source } from './types.ts';

export const SOURCES: Record<ImportSource, Source> = {
  blogsite_a: foremSource,
  blogsite_b: hashnodeSource,
  blogsite_c: mediumSource,
  rss: feedSource,
};
