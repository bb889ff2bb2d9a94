/** Selects the platforms for which the document pool checks what a document would lose. */
import type { DestinationKey } from '../../article/types.ts';
import { PLATFORMS_BY_KEY } from '../../destinations/platforms.ts';
import type { Platform } from '../../destinations/types.ts';
import type { ConnectedPlatforms } from '../../store/connections/list.ts';

export interface PreflightRequest {
  /** Connected destinations. The check skips those for which the document is not selected. */
  platforms: [DestinationKey, Platform][];
  /** Address of this site, for the canonical URL of an article without its own. */
  baseUrl: string;
}

/** Returns undefined if nothing is connected. Skips a platform that does not belong to its key. */
export function buildPreflightRequest(connected: ConnectedPlatforms, baseUrl: string): PreflightRequest | undefined {
  const platforms = (Object.keys(PLATFORMS_BY_KEY) as DestinationKey[]).flatMap((key): [DestinationKey, Platform][] => {
    const platform = PLATFORMS_BY_KEY[key].find((candidate) => candidate === connected[key]);
    return platform === undefined ? [] : [[key, platform]];
  });
  return platforms.length === 0 ? undefined : { platforms, baseUrl };
}
