/** The Ghost destination (Ghost 5 and later, hosted or self-hosted). */
import type { Destination } from '../types.ts';
import { findSite } from './call.ts';
import { createClient } from './client.ts';
import { formatArticle, type GhostPayload } from './format.ts';
import { LABEL, limits } from './limits.ts';

export const ghost: Destination<GhostPayload> = {
  platform: 'ghost',
  label: LABEL,
  // Every Ghost is a separate site.
  defaultBaseUrl: null,
  credentialFields: ['adminKey'],
  optionalFields: [],
  limits: limits,
  normalizeBaseUrl: findSite,
  // `find` finds the post, so authors never enter its address.
  readPostUrl: () => null,
  format: formatArticle,
  createClient: createClient,
};
