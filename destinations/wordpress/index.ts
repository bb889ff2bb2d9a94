/**
 * The WordPress destination: any site with its REST API and application passwords (5.6 and later).
 */
import type { Destination } from '../types.ts';
import { normaliseSiteAddress } from './api-root.ts';
import { createClient } from './client.ts';
import { formatArticle, type WordPressPayload } from './format.ts';
import { LABEL, limits } from './limits.ts';

export const wordpress: Destination<WordPressPayload> = {
  platform: 'wordpress',
  label: LABEL,
  // Every WordPress is a separate site.
  defaultBaseUrl: null,
  credentialFields: ['username', 'applicationPassword'],
  optionalFields: [],
  limits,
  normalizeBaseUrl: normaliseSiteAddress,
  format: formatArticle,
  // `find` finds the post, so authors never enter its address.
  readPostUrl: () => null,
  createClient,
};
