/**
 * Names a destination for people: the connected platform, or every platform that can be connected
 * there.
 */
import type { DestinationKey } from '../article/types.ts';
import { PLATFORMS_BY_KEY } from './platforms.ts';
import { findDescriptor } from './registry.ts';

export function nameDestination(
  key: DestinationKey,
  connections: readonly { destination: DestinationKey; platform: string }[] = [],
): string {
  const connected = connections.find(({ destination }) => destination === key);
  const platforms = connected ? [connected.platform] : PLATFORMS_BY_KEY[key];
  return platforms.map((platform) => findDescriptor(platform)?.label ?? platform).join(' or ');
}
