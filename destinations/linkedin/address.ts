/**
 * Normalizes the address of LinkedIn's API: its host, with the versioned API and the person's own
 * data below it.
 */
import { normalizeBaseUrl } from '../http/base-url.ts';

export function findApiRoot(baseUrl: string): string {
  return normalizeBaseUrl(baseUrl).replace(/\/(?:rest|v2)$/, '');
}

/**
 * The site of the API's posts: `api.linkedin.com` → `www.linkedin.com`. The sandbox has one address
 * for both.
 */
export function findSite(baseUrl: string): string {
  return findApiRoot(baseUrl).replace(/^(https?:\/\/)api\.(?=[^/]+$)/, '$1www.');
}

/**
 * An upload carries the token, so it is sent only to LinkedIn's own hosts or to the connection's
 * own origin.
 */
export function canReceiveToken(address: string, baseUrl: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  const isLinkedin = url.protocol === 'https:' && /(?:^|\.)linkedin\.com$/.test(url.hostname);
  return isLinkedin || (URL.canParse(baseUrl) && url.origin === new URL(baseUrl).origin);
}
