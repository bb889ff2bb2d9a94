/** The Hashnode destination. */
import { normalizeBaseUrl } from '../http/base-url.ts';
import type { Destination } from '../types.ts';
import { createClient } from './client.ts';
import { formatArticle, type HashnodePayload } from './format.ts';
import { BASE_URL, LABEL, limits } from './limits.ts';

export const hashnode: Destination<HashnodePayload> = {
  platform: 'hashnode',
  label: LABEL,
  defaultBaseUrl: BASE_URL,
  credentialFields: ['token', 'publicationId'],
  optionalFields: [],
  limits: limits,
  normalizeBaseUrl: normalizeBaseUrl,
  // `find` finds the post, so authors never enter its address.
  readPostUrl: () => null,
  format: formatArticle,
  createClient: createClient,
};
