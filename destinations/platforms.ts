/** Maps each destination key to its platforms. Only names, for code that needs no client. */
import { DESTINATION_KEYS, type DestinationKey } from '../article/types.ts';
import type { Platform } from './types.ts';

/** In order of preference; each connection names its platform. */
export const PLATFORMS_BY_KEY: Record<DestinationKey, readonly Platform[]> = {
  blogsite_a: ['forem'],
  blogsite_b: ['hashnode'],
  blogsite_c: ['medium'],
  cms_site: ['wordpress', 'ghost'],
  social_feed: ['linkedin'],
};

/** The destination key of a platform: each platform has one. */
export function findKey(platform: Platform): DestinationKey {
  const key = DESTINATION_KEYS.find((candidate) => PLATFORMS_BY_KEY[candidate].includes(platform));
  if (key === undefined) throw new Error(`no destination has the platform ${platform}`);
  return key;
}
