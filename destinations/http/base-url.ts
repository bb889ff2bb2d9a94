/** Normalizes the addresses that authors enter, so that one site has one spelling. */

/**
 * Host in lower case; no default port, trailing slash, query, fragment or password, because no API
 * root has any. Text that is not a URL stays as it is; the address guard refuses it.
 */
export function normalizeBaseUrl(baseUrl: string): string {
  const address = baseUrl.trim();
  if (!URL.canParse(address)) return address;
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname.replace(/\/{2,}/g, '/').replace(/\/$/, '')}`;
}
