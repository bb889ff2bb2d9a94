/** How LinkedIn's API is addressed: by its host, which has the versioned API and the person's own data below it. */
import { normalizeBaseUrl } from '../http/base-url.ts';

export function findApiRoot(baseUrl: string): string {
  return normalizeBaseUrl(baseUrl).replace(/\/(?:rest|v2)$/, '');
}

/** Where people see what the API makes: `api.linkedin.com` → `www.linkedin.com`; a stand-in has both in one place. */
export function findSite(baseUrl: string): string {
  return findApiRoot(baseUrl).replace(/^(https?:\/\/)api\.(?=[^/]+$)/, '$1www.');
}

/** An upload carries the token, so it goes only to LinkedIn's own hosts or to the connection's own origin. */
export function mayHaveToken(address: string, baseUrl: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  const isTheirs = url.protocol === 'https:' && /(?:^|\.)linkedin\.com$/.test(url.hostname);
  return isTheirs || (URL.canParse(baseUrl) && url.origin === new URL(baseUrl).origin);
}
