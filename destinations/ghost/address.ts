/** The address of a Ghost site. */
import { normalizeBaseUrl } from '../http/base-url.ts';

/** Authors enter the address of the site, of its admin area or of its API. */
export function findSite(baseUrl: string): string {
  return normalizeBaseUrl(baseUrl).replace(/(?:\/ghost(?:\/api(?:\/admin)?)?)?$/, '');
}
