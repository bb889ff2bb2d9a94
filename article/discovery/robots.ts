/** `robots.txt` (RFC 9309): everything that readers see may be read by programs too; what only a person can use is not for them. */

/**
 * Paths as they are, and what lies below them. Each ends in `$`, `/` or `?`, because a rule is a prefix: `/graphql` would forbid an article
 * named `graphql-by-example` too.
 */
const NOT_FOR_ROBOTS = [
  '/graphql$',
  '/graphql?',
  '/desk$',
  '/desk/',
  '/login$',
  '/login?',
  '/search?',
  '/account/',
  '/digest/',
  '/newsletter/',
  '/notifications/',
  '/dev/',
  '/health/',
  '/api/v1/account/',
];

export interface RobotsOptions {
  /** {base_url}, without a trailing slash. */
  baseUrl: string;
  /** What programs may do with the texts, as `search=yes, ai-train=no`; null says nothing about it. */
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
