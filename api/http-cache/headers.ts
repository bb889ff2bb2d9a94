/** Content types and headers that answers have in common. */

export const JSON_TYPE = 'application/json; charset=utf-8';
export const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';

/** The pages of any site may read it: it is the same for everybody, and no cookie or token changes it. */
export const FOR_ANY_ORIGIN = { 'access-control-allow-origin': '*' } as const;
/** Not for search engines: something else is what they should show. */
export const NOT_INDEXED = { 'x-robots-tag': 'noindex' } as const;
