/** One spelling for the addresses that authors give of one place. */

/**
 * Host in lower case, no default port, no slash at the end, and neither a query, a fragment nor a name with a password, none of which an API's
 * root has. What is no URL stays as it is: the address guard refuses it.
 */
export function normalizeBaseUrl(baseUrl: string): string {
  const given = baseUrl.trim();
  if (!URL.canParse(given)) return given;
  const { protocol, host, pathname } = new URL(given);
  return `${protocol}//${host}${pathname.replace(/\/{2,}/g, '/').replace(/\/$/, '')}`;
}
