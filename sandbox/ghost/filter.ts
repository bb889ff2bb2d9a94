/** The part of Ghost's filter language that finds posts: alternatives of `column:value`. */
import type { GhostPost } from './context.ts';

/** Columns by name, in the form stored in the database. `siteUrl` ends with a slash. */
const COLUMNS = new Map<string, (post: GhostPost, siteUrl: string) => string | null>([
  ['slug', ({ slug }) => slug],
  [
    'canonical_url',
    ({ canonicalUrl }, siteUrl) =>
      canonicalUrl?.startsWith(siteUrl) ? `__GHOST_URL__/${canonicalUrl.slice(siteUrl.length)}` : canonicalUrl,
  ],
]);

const VALUE = String.raw`'(?:[^'\\]|\\.)*'`;
const CLAUSE = new RegExp(String.raw`(\w+):(${VALUE}|\[${VALUE}(?:,${VALUE})*\])(?:,(?!$)|$)`, 'g');

/** Null if the filter is not supported. */
export function parseFilter(filter: string, siteUrl: string): ((post: GhostPost) => boolean) | null {
  const clauses = [...filter.matchAll(CLAUSE)];
  if (clauses.map(([clause]) => clause).join('') !== filter) return null;
  const tests = clauses.map(([, name = '', list = '']) => {
    const values = [...list.matchAll(new RegExp(VALUE, 'g'))].map(([text]) =>
      text.slice(1, -1).replace(/\\(.)/g, '$1'),
    );
    const column = COLUMNS.get(name);
    return column && ((post: GhostPost) => values.includes(column(post, siteUrl) ?? ''));
  });
  return tests.every((test) => test !== undefined) ? (post) => tests.some((test) => test(post)) : null;
}
