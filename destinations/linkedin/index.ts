/** The LinkedIn destination: a short post with a card that links to the article. */
import { readWebAddress } from '../format/web-address.ts';
import type { DestinationDescriptor } from '../types.ts';
import { findApiRoot, findSite } from './address.ts';
import { formatArticle, type LinkedinPayload } from './format.ts';
import { BASE_URL, LABEL, limits } from './limits.ts';

export const linkedin: DestinationDescriptor<LinkedinPayload> = {
  platform: 'linkedin',
  label: LABEL,
  nameCopy: () => LABEL,
  connection: {
    steps: [
      'In the [developer portal](https://www.linkedin.com/developers/apps), create an app, and add the products “Share on LinkedIn” and “Sign In with LinkedIn using OpenID Connect”.',
      'In its OAuth 2.0 tools, create a token with the scopes `openid`, `profile` and `w_member_social`; for a page also `w_organization_social`.',
      'Copy the access token.',
    ],
    fields: [
      {
        name: 'accessToken',
        label: 'Access token',
        hint: 'It expires after two months. Then paste a new one here.',
        kind: 'secret',
      },
      {
        name: 'organizationId',
        label: 'Page id',
        hint: 'To post as a page that you administer: the digits in the address of its admin view.',
        kind: 'text',
        isOptional: true,
      },
      {
        name: 'apiVersion',
        label: 'API version',
        hint: 'A month such as 202611, only if LinkedIn reports that the default version has ended.',
        kind: 'text',
        isOptional: true,
      },
    ],
    address: { label: 'API address', hint: 'Leave it empty unless you use a proxy.' },
    defaultBaseUrl: BASE_URL,
  },
  limits,
  formatsAsHtml: false,
  normalizeBaseUrl: findApiRoot,
  readPostUrl,
  format: formatArticle,
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
