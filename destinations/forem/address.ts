/** How a Forem is addressed: by its site (`https://dev.to`) or by its API (`https://dev.to/api`), which are one place. */
import { normalizeBaseUrl } from '../http/base-url.ts';
import { readSiteName } from '../posts/remote-post.ts';

/** The API's root, without a slash at its end. */
export function findApiRoot(baseUrl: string): string {
  const address = normalizeBaseUrl(baseUrl);
  return URL.canParse(address) ? `${address.replace(/\/api(?:\/v\d+)?$/, '')}/api` : address;
}

/** Host and path of the site, which tell it from other Forems. Null where the address is none. */
export function findSiteName(baseUrl: string): string | null {
  return readSiteName(findApiRoot(baseUrl).replace(/\/api$/, ''));
}
