/** Normalizes the addresses that authors enter, so that one site has one spelling. */

/** No default port, trailing slash, query, fragment or password. Other text is unchanged. */
export function normalizeBaseUrl(baseUrl: string): string {
  const address = baseUrl.trim();
  if (!URL.canParse(address)) return address;
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname.replace(/\/{2,}/g, '/').replace(/\/$/, '')}`;
}
