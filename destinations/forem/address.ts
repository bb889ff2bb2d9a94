/** Normalizes the address of a Forem: `https://dev.to` and `https://dev.to/api` are one. */
import { normalizeBaseUrl } from '../http/base-url.ts';
import { readSiteName } from '../posts/remote-post.ts';

/** The root of the API, without a trailing slash. */
export function findApiRoot(baseUrl: string): string {
  const address = normalizeBaseUrl(baseUrl);
  return URL.canParse(address) ? `${address.replace(/\/api(?:\/v\d+)?$/, '')}/api` : address;
}

/** Host and path of the site, which identify a Forem. Null if the address is invalid. */
export function findSiteName(baseUrl: string): string | null {
  return readSiteName(findApiRoot(baseUrl).replace(/\/api$/, ''));
}
