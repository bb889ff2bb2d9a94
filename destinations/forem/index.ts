/** The Forem destination (dev.to and self-hosted Forems). */
import type { Destination } from '../types.ts';
import { findApiRoot } from './address.ts';
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
  normalizeBaseUrl: findApiRoot,
  // `find` finds the post, so authors never enter its address.
  readPostUrl: () => null,
  format: formatArticle,
  createClient: createClient,
};
