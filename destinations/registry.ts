/** Which platforms stand behind each destination key, and where their code is. */
import type { DestinationKey } from '../article/types.ts';
import { forem } from './forem/index.ts';
import { ghost } from './ghost/index.ts';
import { hashnode } from './hashnode/index.ts';
import type { Destination, Platform } from './types.ts';

/** In order of preference; a connection says which one it is. */
export const PLATFORMS_BY_KEY: Record<DestinationKey, readonly Platform[]> = {
  blogsite_a: ['forem'],
  blogsite_b: ['hashnode'],
  blogsite_c: ['medium'],
  cms_site: ['wordpress', 'ghost'],
  social_feed: ['linkedin'],
};

const DESTINATIONS: Partial<Record<Platform, Destination>> = { forem, hashnode, ghost };

/** The code of a platform, or null for one that this version does not deliver to. */
export function destinationFor(platform: string): Destination | null {
  return Object.hasOwn(DESTINATIONS, platform) ? (DESTINATIONS[platform as Platform] ?? null) : null;
}

/** As `destinationFor`, and null too where the platform does not stand behind the key. */
export function destinationBehind(key: DestinationKey, platform: string): Destination | null {
  return PLATFORMS_BY_KEY[key].some((candidate) => candidate === platform) ? destinationFor(platform) : null;
}
