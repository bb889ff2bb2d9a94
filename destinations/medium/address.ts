/** Adds the version to the path of Medium's API, because authors omit it. */
import { normalizeBaseUrl } from '../http/base-url.ts';

/** The root of the API. The path of a sandbox or a proxy stays as it is. */
export function findApiRoot(baseUrl: string): string {
  const address = normalizeBaseUrl(baseUrl);
  return /^https?:\/\/api\.medium\.com$/.test(address) ? `${address}/v1` : address;
}
