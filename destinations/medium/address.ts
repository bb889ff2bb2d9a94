/** Medium's API has its version in its path, which authors leave out. */
import { normalizeBaseUrl } from '../http/base-url.ts';

/** The API's root. A stand-in or a proxy has a path of its own, which stays as it is. */
export function findApiRoot(baseUrl: string): string {
  const address = normalizeBaseUrl(baseUrl);
  return /^https?:\/\/api\.medium\.com$/.test(address) ? `${address}/v1` : address;
}
