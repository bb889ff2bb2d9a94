/**
 * Compares canonical URLs when a publish is matched. More lenient than `isSameCanonical`: a missed
 * match here makes a second article, a wrong match there overwrites a foreign post.
 */

/** Parameters that record the source of a visit and do not select a page. */
const TRACKING = /^(?:utm_.*|fbclid|gclid|mc_cid|mc_eid)$/i;

/**
 * For comparison only: https, lowercase host, sorted query, no default port, fragment, trailing
 * slash or tracking. `www.` may be another site. Returns other text trimmed.
 */
export function normaliseCanonicalUrl(url: string): string {
  const parsed = parseHttpUrl(url);
  if (parsed === null) return url.trim();
  const port = parsed.port === '' || parsed.port === '80' || parsed.port === '443' ? '' : `:${parsed.port}`;
  const pairs = [...parsed.searchParams].filter(([name]) => !TRACKING.test(name)).sort();
  const query = new URLSearchParams(pairs).toString();
  const path = parsed.pathname.replace(/\/+$/, '');
  return `https://${parsed.hostname}${port}${path}${query === '' ? '' : `?${query}`}`;
}

export function isSiteRoot(url: string): boolean {
  const parsed = parseHttpUrl(url);
  if (parsed === null) return false;
  const hasQuery = [...parsed.searchParams.keys()].some((name) => !TRACKING.test(name));
  return /^\/*$/.test(parsed.pathname) && !hasQuery;
}

/** The URL if the text is an absolute http(s) address without credentials, else null. */
export function parseHttpUrl(url: string): URL | null {
  const text = url.trim();
  // `https:/x` and `https:x` parse too, but they are always mistakes.
  if (!/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text)) return null;
  const parsed = new URL(text);
  return parsed.username === '' && parsed.password === '' ? parsed : null;
}

/** A URL as `format: uri` promises (RFC 3986). `href` leaves `|`, `{`, `[` and a lone `%`. */
export function formatUri({ href }: URL): string {
  const [authority = ''] = /^https?:\/\/[^/?#]*/.exec(href) ?? [];
  const [rest = '', ...fragment] = href.slice(authority.length).split('#');
  const hash = fragment.length === 0 ? '' : `#${encodeIllegal(fragment.join('#'))}`;
  return `${authority}${encodeIllegal(rest)}${hash}`;
}

function encodeIllegal(text: string): string {
  return text.replace(/%(?![\da-f]{2})|[^\w\-.~:/?@!$&'()*+,;=%]/gi, encodeURIComponent);
}
