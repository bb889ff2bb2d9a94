/** The Forem destination (dev.to and self-hosted Forems). */
import { normalizeBaseUrl } from '../http/base-url.ts';
import type { Destination } from '../types.ts';
import { createClient } from './client.ts';
import { type ForemPayload, formatArticle } from './format.ts';
import { BASE_URL, LABEL, limits } from './limits.ts';

export const forem: Destination<ForemPayload> = {
  platform: 'forem',
  label: LABEL,
  defaultBaseUrl: BASE_URL,
  credentialFields: ['apiKey'],
  optionalFields: [],
  limits: limits,
  normalizeBaseUrl: normalizeBaseUrl,
  // `find` finds the post, so authors never have to name it.
  readPostUrl: () => null,
  format: formatArticle,
  createClient: createClient,
};
