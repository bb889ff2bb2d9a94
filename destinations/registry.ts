/** Maps each platform to its destination: format, limits and client. */
import type { DestinationKey } from '../article/types.ts';
import { forem } from './forem/index.ts';
import { ghost } from './ghost/index.ts';
import { hashnode } from './hashnode/index.ts';
import { linkedin } from './linkedin/index.ts';
import { medium } from './medium/index.ts';
import { PLATFORMS_BY_KEY } from './platforms.ts';
import type { Destination, Platform } from './types.ts';
import { wordpress } from './wordpress/index.ts';

const DESTINATIONS: Partial<Record<Platform, Destination>> = { forem, hashnode, medium, wordpress, ghost, linkedin };

/** The destination of a platform, or null for a platform that this version does not deliver to. */
export function findDestination(platform: string): Destination | null {
  return Object.hasOwn(DESTINATIONS, platform) ? (DESTINATIONS[platform as Platform] ?? null) : null;
}

/** Like `findDestination`. Also null if the platform does not belong to the key. */
export function findDestinationForKey(key: DestinationKey, platform: string): Destination | null {
  return PLATFORMS_BY_KEY[key].some((candidate) => candidate === platform) ? findDestination(platform) : null;
}
