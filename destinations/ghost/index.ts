/** The Ghost destination (Ghost 5 and later, hosted or self-hosted). */
import type { Destination } from '../types.ts';
import { createGhostClient } from './client.ts';
import { formatForGhost, type GhostPayload } from './format.ts';
import { GHOST_LABEL, ghostLimits } from './limits.ts';

export const ghost: Destination<GhostPayload> = {
  platform: 'ghost',
  label: GHOST_LABEL,
  // Every Ghost is somebody's own site.
  defaultBaseUrl: null,
  credentialFields: ['adminKey'],
  optionalFields: [],
  limits: ghostLimits,
  // Found by look-up: nobody has to name it.
  readPostUrl: () => null,
  format: formatForGhost,
  createClient: createGhostClient,
};
