/** The API's document pool: its threads also say what the author's destinations would lose or refuse. */

import type { DestinationKey } from '../../article/types.ts';
import type { Preflight } from '../../destinations/format/preflight.ts';
import { PLATFORMS_BY_KEY } from '../../destinations/platforms.ts';
import type { Platform } from '../../destinations/types.ts';
import type { ConnectedPlatforms } from '../../store/connections/list.ts';
import { createDocumentPool, type DocumentPool } from './pool.ts';

export interface PreflightQuestion {
  /** Connected destinations; those that the document does not ask for are left out. */
  platforms: [DestinationKey, Platform][];
  baseUrl: string;
}

export type ApiDocuments = DocumentPool<PreflightQuestion, Preflight[]>;

export function createApiDocuments(): ApiDocuments {
  return createDocumentPool({ worker: new URL('./document-worker.ts', import.meta.url) });
}

/** Undefined where there is nothing to look at. */
export function askPreflight(connected: ConnectedPlatforms, baseUrl: string): PreflightQuestion | undefined {
  const platforms = (Object.keys(PLATFORMS_BY_KEY) as DestinationKey[]).flatMap((key): [DestinationKey, Platform][] => {
    const platform = PLATFORMS_BY_KEY[key].find((candidate) => candidate === connected[key]);
    return platform === undefined ? [] : [[key, platform]];
  });
  return platforms.length === 0 ? undefined : { platforms, baseUrl };
}
