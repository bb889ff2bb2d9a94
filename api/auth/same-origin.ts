/**
 * Checks whether a page of this site sent the request. Browsers send Sec-Fetch-Site, older ones
 * Origin. Scripts of other sites cannot change either. Origin is compared with the requested host,
 * because a site can have several names.
 */
import type { FastifyRequest } from 'fastify';

export function isSameOrigin({ headers, host }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = headers;
  if (origin === undefined) return false;
  return URL.canParse(origin) && new URL(origin).host === host;
}
