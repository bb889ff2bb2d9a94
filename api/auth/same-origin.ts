/**
 * Whether a page of this site sent the request. Browsers state this in Sec-Fetch-Site, older ones
 * in Origin; scripts of other sites cannot change either. Origin is compared with the requested
 * host, because a site can have several names.
 */
import type { FastifyRequest } from 'fastify';

export function isSameOrigin({ headers, host }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = headers;
  if (origin === undefined) return false;
  return URL.canParse(origin) && new URL(origin).host === host;
}
