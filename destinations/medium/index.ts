/** The Medium destination, for authors who still have an integration token. */
import type { Destination } from '../types.ts';
import { findApiRoot } from './address.ts';
import { createClient } from './client.ts';
import { formatArticle, type MediumPayload } from './format.ts';
import { BASE_URL, LABEL, limits } from './limits.ts';

export const medium: Destination<MediumPayload> = {
  platform: 'medium',
  label: LABEL,
  defaultBaseUrl: BASE_URL,
  credentialFields: ['token'],
  optionalFields: [],
  limits: limits,
  normalizeBaseUrl: findApiRoot,
  readPostUrl: readPostUrl,
  format: formatArticle,
  createClient: createClient,
};

/**
 * The id ends the path: `/@ann/a-title-1a2b3c4d5e6f` or `/p/1a2b3c4d5e6f`. Publications have their
 * own hosts, so the host proves nothing. Ids have eleven or twelve digits, seldom fewer, which
 * excludes dates and commits of other sites.
 */
function readPostUrl(url: string): string | null {
  const path = URL.canParse(url) ? new URL(url).pathname : '';
  return /[-/]([0-9a-f]{9,12})\/?$/.exec(path)?.[1] ?? null;
}
