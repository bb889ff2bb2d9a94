/** Describes this site to agents and search engines. */

export interface Site {
  name: string;
  /** {base_url}, without a trailing slash. */
  baseUrl: string;
  description: string;
}

export function describeSite(baseUrl: string): Site {
  return {
    name: 'Courant',
    baseUrl,
    description:
      'Articles by people who write in Markdown and publish here first. Each has one canonical address and is available as a page, as Markdown and as JSON.',
  };
}
