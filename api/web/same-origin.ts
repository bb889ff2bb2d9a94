/**
 * Whether one of our own pages asks. Browsers say where a request comes from, and no script of another site can change it: Sec-Fetch-Site, and Origin
 * where they do not know that yet. The origin is compared with the host that the browser asked, whatever name the site is reached by.
 */
import type { FastifyRequest } from 'fastify';

export function isSameOrigin({ headers, host }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = headers;
  if (origin === undefined) return false;
  return URL.canParse(origin) && new URL(origin).host === host;
}
