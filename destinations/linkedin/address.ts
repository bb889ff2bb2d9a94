/** Normalizes the address of LinkedIn's API: the host, without `/rest` or `/v2`. */
import { normalizeBaseUrl } from '../http/base-url.ts';

export function findApiRoot(baseUrl: string): string {
  return normalizeBaseUrl(baseUrl).replace(/\/(?:rest|v2)$/, '');
}

/** `api.linkedin.com` → `www.linkedin.com`. The sandbox has one address for both. */
export function findSite(baseUrl: string): string {
  return findApiRoot(baseUrl).replace(/^(https?:\/\/)api\.(?=[^/]+$)/, '$1www.');
}

/** An upload carries the token, so it is sent only to LinkedIn or the connection's origin. */
export function canReceiveToken(address: string, baseUrl: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  const isLinkedin = url.protocol === 'https:' && /(?:^|\.)linkedin\.com$/.test(url.hostname);
  return isLinkedin || (URL.canParse(baseUrl) && url.origin === new URL(baseUrl).origin);
}
