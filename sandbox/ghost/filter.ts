/**
 * Implements the part of Ghost's filter language that finds posts by their own columns:
 * alternatives of `column:value`.
 */
import type { GhostRecord } from './records.ts';

type Matches = (post: GhostRecord) => boolean;

/** Columns by name, in the form stored in the database. */
const COLUMNS: Record<string, (post: GhostRecord, siteUrl: string) => string | null> = {
  id: (post) => post.id,
  slug: (post) => post.slug,
  status: (post) => post.status,
  canonical_url: ({ canonicalUrl }, siteUrl) =>
    canonicalUrl?.startsWith(siteUrl) ? `__GHOST_URL__/${canonicalUrl.slice(siteUrl.length)}` : canonicalUrl,
};

const VALUE = "'((?:[^'\\\\]|\\\\.)*)'|([\\w-]+)";
const ALTERNATIVE = new RegExp(`^(\\w+):(?:\\[((?:(?:${VALUE})(?:,(?!$))?)+)\\]|(?:${VALUE}))(?:,|$)`);

/** Null if the filter is not supported. `siteUrl` ends with a slash. */
export function parseFilter(filter: string, siteUrl: string): Matches | null {
  const tests: Matches[] = [];
  let rest = filter;
  while (rest !== '') {
    const match = ALTERNATIVE.exec(rest);
    const column = match?.[1] !== undefined && Object.hasOwn(COLUMNS, match[1]) ? COLUMNS[match[1]] : undefined;
    if (!match || !column) return null;
    const list = match[2] ?? rest.slice(match[0].indexOf(':') + 1, match[0].length);
    const values = [...list.matchAll(new RegExp(VALUE, 'g'))].map(
      ([, quoted, bare]) => quoted?.replace(/\\(.)/g, '$1') ?? bare ?? '',
    );
    tests.push((post) => values.includes(column(post, siteUrl) ?? ''));
    rest = rest.slice(match[0].length);
  }
  return (post) => tests.some((test) => test(post));
}
