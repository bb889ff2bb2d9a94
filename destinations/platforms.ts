/** The platforms of each key, in order of preference. Only names, to start fast. */
import { DESTINATION_KEYS, type DestinationKey } from '../article/types.ts';

const PLATFORMS = {
  blogsite_a: ['forem'],
  blogsite_b: ['hashnode'],
  blogsite_c: ['medium'],
  cms_site: ['wordpress', 'ghost'],
  social_feed: ['linkedin'],
} as const satisfies Record<DestinationKey, readonly string[]>;

export type Platform = (typeof PLATFORMS)[DestinationKey][number];

export const PLATFORMS_BY_KEY: Record<DestinationKey, readonly Platform[]> = PLATFORMS;

/** The destination key of a platform: each platform has one. */
export function findKey(platform: Platform): DestinationKey {
  const key = DESTINATION_KEYS.find((candidate) => PLATFORMS_BY_KEY[candidate].includes(platform));
  if (key === undefined) throw new Error(`no destination has the platform ${platform}`);
  return key;
}
