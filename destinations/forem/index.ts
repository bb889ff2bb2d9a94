/** The Forem destination (dev.to and self-hosted Forems). */
import type { Destination } from '../types.ts';
import { createForemClient } from './client.ts';
import { type ForemPayload, formatForForem } from './format.ts';
import { FOREM_BASE_URL, FOREM_LABEL, foremLimits } from './limits.ts';

export const forem: Destination<ForemPayload> = {
  platform: 'forem',
  label: FOREM_LABEL,
  defaultBaseUrl: FOREM_BASE_URL,
  credentialFields: ['apiKey'],
  optionalFields: [],
  limits: foremLimits,
  // Found by look-up: nobody has to name it.
  readPostUrl: () => null,
  format: formatForForem,
  createClient: createForemClient,
};
