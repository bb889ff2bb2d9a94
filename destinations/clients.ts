/** The destination of each platform: its descriptor and its client. */
import type { DestinationKey } from '../article/types.ts';
import { createClient as createForemClient } from './forem/client.ts';
import { createClient as createGhostClient } from './ghost/client.ts';
import { createClient as createHashnodeClient } from './hashnode/client.ts';
import { createClient as createLinkedinClient } from './linkedin/client.ts';
import { createClient as createMediumClient } from './medium/client.ts';
import { PLATFORMS_BY_KEY } from './platforms.ts';
import { findDescriptor } from './registry.ts';
import type { Connection, Destination, Platform, ProbedAccount } from './types.ts';
import { createClient as createWordPressClient } from './wordpress/client.ts';

const CLIENTS: Record<Platform, Destination['createClient']> = {
  forem: createForemClient,
  hashnode: createHashnodeClient,
  medium: createMediumClient,
  wordpress: createWordPressClient,
  ghost: createGhostClient,
  linkedin: createLinkedinClient,
};

/** Null for a platform that this version does not deliver to. */
export function findDestination(platform: string): Destination | null {
  const descriptor = findDescriptor(platform);
  return descriptor && { ...descriptor, createClient: CLIENTS[descriptor.platform] };
}

/** Like `findDestination`. Also null if the platform does not belong to the key. */
export function findDestinationForKey(key: DestinationKey, platform: string): Destination | null {
  return PLATFORMS_BY_KEY[key].some((candidate) => candidate === platform) ? findDestination(platform) : null;
}

/** Describes a connected account after a probe: its identity, address and credentials. */
export function describeConnectedAccount<P>(adapter: Destination<P>, connection: Connection, probed: ProbedAccount) {
  const { platform, normalizeBaseUrl } = adapter;
  return {
    platform,
    baseUrl: normalizeBaseUrl(probed.baseUrl ?? connection.baseUrl),
    credentials: { ...connection.credentials, ...probed.settings },
    account: { identity: probed.account, name: probed.name, formerIdentity: probed.formerAccount },
  };
}
