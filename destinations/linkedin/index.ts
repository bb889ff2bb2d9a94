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
  // A page to post for, and the month version of the API after the default has ended.
  optionalFields: ['organizationId', 'apiVersion'],
  limits: limits,
  normalizeBaseUrl: findApiRoot,
  readPostUrl: readPostUrl,
  format: formatArticle,
  createClient: createClient,
};

/**
 * Accepts `/feed/update/urn:li:share:123/` (colons plain or encoded) and the long form with
 * `-share-123-`. Only in the path, and only of LinkedIn or the connected sandbox: a later
 * withdrawal deletes the post permanently, so it must be the intended one.
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
