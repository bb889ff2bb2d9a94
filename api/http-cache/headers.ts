/** Content types and headers that public responses have in common. */

export const JSON_TYPE = 'application/json; charset=utf-8';
export const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';

/** Any origin may read the response: it depends on no cookie or token. */
export const FOR_ANY_ORIGIN = { 'access-control-allow-origin': '*' } as const;
/** Excludes a response from search engines, which should list the canonical page instead. */
export const NOT_INDEXED = { 'x-robots-tag': 'noindex' } as const;
