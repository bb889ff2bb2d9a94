/** The descriptor of each platform, without its client: the CLI and threads send nothing. */
import type { DestinationKey } from '../article/types.ts';
import { forem } from './forem/index.ts';
import { ghost } from './ghost/index.ts';
import { hashnode } from './hashnode/index.ts';
import { linkedin } from './linkedin/index.ts';
import { medium } from './medium/index.ts';
import { PLATFORMS_BY_KEY } from './platforms.ts';
import type { DestinationDescriptor, Platform } from './types.ts';
import { wordpress } from './wordpress/index.ts';

export const DESCRIPTORS: Record<Platform, DestinationDescriptor> = {
  forem,
  hashnode,
  medium,
  wordpress,
  ghost,
  linkedin,
};

/** Null for a platform that this version does not deliver to. */
export function findDescriptor(platform: string): DestinationDescriptor | null {
  return Object.hasOwn(DESCRIPTORS, platform) ? DESCRIPTORS[platform as Platform] : null;
}

/** For people: the connected platform, or every platform that can be connected there. */
export function nameDestination(
  key: DestinationKey,
  connections: readonly { destination: DestinationKey; platform: string }[] = [],
): string {
  const connected = connections.find(({ destination }) => destination === key);
  const platforms = connected ? [connected.platform] : PLATFORMS_BY_KEY[key];
  return platforms.map((platform) => findDescriptor(platform)?.label ?? platform).join(' or ');
}

/** For people: every platform, such as "DEV, Hashnode and Ghost". */
export function namePlatforms(type: 'conjunction' | 'disjunction'): string {
  return new Intl.ListFormat('en-GB', { type }).format(Object.values(DESCRIPTORS).map(({ label }) => label));
}
