/** Formats `robots.txt` (RFC 9309). Forms, search results, the desk and GraphQL are excluded. */

/** Prefixes, ending in `$`, `/` or `?`: `/graphql` would forbid `/graphql-by-example`. */
const NOT_FOR_ROBOTS =
  '/graphql$ /graphql? /desk$ /desk/ /login$ /login? /search? /account/ /digest/ /newsletter/ /notifications/ /dev/ /health/ /api/v1/account/'.split(
    ' ',
  );

export interface RobotsOptions {
  /** {base_url}, without a trailing slash. */
  baseUrl: string;
  /** A `Content-Signal` value such as `search=yes, ai-train=no`; null omits the line. */
  contentSignal: string | null;
}

export function formatRobotsTxt({ baseUrl, contentSignal }: RobotsOptions): string {
  const lines = [
    'User-agent: *',
    ...(contentSignal === null ? [] : [`Content-Signal: ${contentSignal}`]),
    'Allow: /',
    ...NOT_FOR_ROBOTS.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${baseUrl}/sitemap.xml`,
  ];
  return `${lines.join('\n')}\n`;
}
