/** The LinkedIn destination: a short post with a card that links to the article. */
import { readWebAddress } from '../format/web-address.ts';
import type { Destination } from '../types.ts';
import { findApiRoot, findSite } from './address.ts';
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

/**
 * `/feed/update/urn:li:share:123/`, colons as they are or encoded; `-share-123-` in the long form that people copy. Only of LinkedIn itself, or
 * of the stand-in that is connected, and only in the path: what is withdrawn later is deleted for good, so it must be the post that was meant.
 */
function readPostUrl(address: string, baseUrl: string): string | null {
  const url = readWebAddress(address);
  const site = readWebAddress(findSite(baseUrl));
  if (!url || !(/(?:^|\.)linkedin\.com$/.test(url.hostname) || url.host === site?.host)) return null;
  const urn = /urn(?::|%3A)li(?::|%3A)(share|ugcPost)(?::|%3A)(\d{1,30})/i.exec(url.pathname);
  const [, kind = '', number = ''] = urn ?? /-(share|ugcPost)-(\d{1,30})-/i.exec(url.pathname) ?? [];
  if (number === '') return null;
  return `urn:li:${kind.toLowerCase() === 'share' ? 'share' : 'ugcPost'}:${number}`;
}
