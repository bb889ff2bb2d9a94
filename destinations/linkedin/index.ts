/** The LinkedIn destination: a short post with a card that links to the article. */
import type { Destination } from '../types.ts';
import { findApiRoot } from './address.ts';
import { createClient } from './client.ts';
import { formatArticle, type LinkedinPayload } from './format.ts';
import { BASE_URL, LABEL, limits } from './limits.ts';

export const linkedin: Destination<LinkedinPayload> = {
  platform: 'linkedin',
  label: LABEL,
  defaultBaseUrl: BASE_URL,
  credentialFields: ['accessToken'],
  // A page to post for, and the month version of the API where the default has ended.
  optionalFields: ['organizationId', 'apiVersion'],
  limits: limits,
  normalizeBaseUrl: findApiRoot,
  readPostUrl: readPostUrl,
  format: formatArticle,
  createClient: createClient,
};

/** `/feed/update/urn:li:share:123/`, colons as they are or encoded; `-share-123-` in the long form that people copy. */
function readPostUrl(url: string): string | null {
  const urn = /urn(?::|%3A)li(?::|%3A)(share|ugcPost)(?::|%3A)(\d{1,30})/i.exec(url);
  const [, kind = '', number = ''] = urn ?? /-(share|ugcPost)-(\d{1,30})-/i.exec(url) ?? [];
  if (number === '') return null;
  return `urn:li:${kind.toLowerCase() === 'share' ? 'share' : 'ugcPost'}:${number}`;
}
