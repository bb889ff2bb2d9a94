/** Which platforms stand behind each destination key. Names alone, for those who need no client. */
import { DESTINATION_KEYS, type DestinationKey } from '../article/types.ts';
import type { Platform } from './types.ts';

/** In order of preference; a connection says which one it is. */
export const PLATFORMS_BY_KEY: Record<DestinationKey, readonly Platform[]> = {
  blogsite_a: ['forem'],
  blogsite_b: ['hashnode'],
  blogsite_c: ['medium'],
  cms_site: ['wordpress', 'ghost'],
  social_feed: ['linkedin'],
};

/** The key that a platform stands behind: each stands behind one. */
export function findKey(platform: Platform): DestinationKey {
  const key = DESTINATION_KEYS.find((candidate) => PLATFORMS_BY_KEY[candidate].includes(platform));
  if (key === undefined) throw new Error(`no destination has the platform ${platform}`);
  return key;
}
