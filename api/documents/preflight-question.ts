/** What the document pool is asked to check beside a document: which platforms would lose or refuse something of it. */
import type { DestinationKey } from '../../article/types.ts';
import { PLATFORMS_BY_KEY } from '../../destinations/platforms.ts';
import type { Platform } from '../../destinations/types.ts';
import type { ConnectedPlatforms } from '../../store/connections/list.ts';

export interface PreflightQuestion {
  /** Connected destinations; those that the document does not ask for are left out. */
  platforms: [DestinationKey, Platform][];
  /** This site's address, for the canonical URL of an article that has none of its own. */
  baseUrl: string;
}

/** Undefined where nothing is connected. A platform that does not belong to its key is left out. */
export function buildPreflightQuestion(connected: ConnectedPlatforms, baseUrl: string): PreflightQuestion | undefined {
  const platforms = (Object.keys(PLATFORMS_BY_KEY) as DestinationKey[]).flatMap((key): [DestinationKey, Platform][] => {
    const platform = PLATFORMS_BY_KEY[key].find((candidate) => candidate === connected[key]);
    return platform === undefined ? [] : [[key, platform]];
  });
  return platforms.length === 0 ? undefined : { platforms, baseUrl };
}
