/** How LinkedIn's API is addressed: by its host, which has the versioned API and the person's own data below it. */
import { normalizeBaseUrl } from '../http/base-url.ts';

export function findApiRoot(baseUrl: string): string {
  return normalizeBaseUrl(baseUrl).replace(/\/(?:rest|v2)$/, '');
}

/** Where people see what the API makes: `api.linkedin.com` → `www.linkedin.com`; a stand-in has both in one place. */
export function findSite(baseUrl: string): string {
  return findApiRoot(baseUrl).replace(/^(https?:\/\/)api\.(?=[^/]+$)/, '$1www.');
}
