/** Converts between both addresses of a REST API: `…/wp-json` and `…/?rest_route=/`. */

/** True for either form. Any other address is the address of a site. */
export function isApiRoot(address: string): boolean {
  const url = readUrl(address);
  return url !== null && (url.searchParams.has('rest_route') || /\/wp-json\/*$/.test(url.pathname));
}

/** `…/wp-json` below the site. `site` may also be the address of its dashboard or login page. */
export function buildPrettyRoot(site: string): string {
  return `${findSite(site)}/wp-json`;
}

/** Every site supports this form, whatever its permalinks. */
export function buildPlainRoot(site: string): string {
  return `${findSite(site)}/?rest_route=/`;
}

/** The root that a site names. A renamed `wp-json` is stored in the plain form. */
export function normaliseRoot(named: string): string {
  const url = new URL(named);
  url.hash = '';
  if (url.searchParams.has('rest_route')) return buildPlainRoot(`${url.origin}${url.pathname}`);
  const path = url.pathname.replace(/\/+$/, '');
  if (path.endsWith('/wp-json')) return `${url.origin}${path}`;
  return buildPlainRoot(`${url.origin}${path.replace(/\/[^/]*$/, '')}`);
}

/** Normalizes the address of a root, of a site, or of a page of its dashboard. */
export function normaliseSiteAddress(address: string): string {
  const trimmed = address.trim();
  return isApiRoot(trimmed) ? normaliseRoot(trimmed) : findSite(trimmed);
}

/** The site that a root belongs to, as far as its address shows. */
export function findSiteOfRoot(root: string): string {
  return findSite(root).replace(/\/wp-json$/, '');
}

/** The address of a route such as `/wp/v2/posts` below a connection's base address. */
export function buildRouteUrl(baseUrl: string, route: string, query: Record<string, string> = {}): string {
  const root = normaliseRoot(isApiRoot(baseUrl) ? baseUrl : buildPrettyRoot(baseUrl));
  const search = new URLSearchParams(query).toString();
  if (!root.endsWith('?rest_route=/')) return `${root}${route}${search === '' ? '' : `?${search}`}`;
  return `${root.slice(0, -1)}${route}${search === '' ? '' : `&${search}`}`;
}

function findSite(address: string): string {
  const url = readUrl(address);
  if (!url) return address;
  const path = url.pathname.replace(/\/(?:wp-admin|wp-login\.php|index\.php)(?:\/.*)?$/, '').replace(/\/+$/, '');
  return `${url.origin}${path}`;
}

function readUrl(address: string): URL | null {
  return URL.canParse(address) ? new URL(address) : null;
}
