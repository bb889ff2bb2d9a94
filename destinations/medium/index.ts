/** The Medium destination, for authors who still have an integration token. */
import type { Destination } from '../types.ts';
import { createMediumClient } from './client.ts';
import { formatForMedium, type MediumPayload } from './format.ts';
import { MEDIUM_BASE_URL, MEDIUM_LABEL, mediumLimits } from './limits.ts';

export const medium: Destination<MediumPayload> = {
  platform: 'medium',
  label: MEDIUM_LABEL,
  defaultBaseUrl: MEDIUM_BASE_URL,
  credentialFields: ['token'],
  optionalFields: [],
  limits: mediumLimits,
  readPostUrl: readMediumPostUrl,
  format: formatForMedium,
  createClient: createMediumClient,
};

/** The id ends the path: `/@ann/a-title-1a2b3c4d5e6f` or `/p/1a2b3c4d5e6f`. Publications have hosts of their own. */
function readMediumPostUrl(url: string): string | null {
  const path = URL.canParse(url) ? new URL(url).pathname : '';
  return /[-/]([0-9a-f]{8,16})\/?$/.exec(path)?.[1] ?? null;
}
