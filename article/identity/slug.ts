/** Slugs, the last part of an article's address: lower case, words joined by dashes, letters of any script. */
import { slug as githubSlug } from 'github-slugger';
import { cleanLine } from '../text/clean-text.ts';

/** In UTF-16 units. */
const MAX_LENGTH = 80;
/** Of a slug that its author chose: an address to keep, and short enough for every platform. */
const MAX_OWN_LENGTH = 150;
/** The slug of a title that has no letter or digit (emoji, punctuation). */
const FALLBACK = 'article';

/** Joiners, selectors of variants, fillers: two addresses that look the same would be two. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** `3.13`, `1/2`, `rc.1`, `3.x`: numbers that would run together. A comma or an apostrophe only groups the digits of one. */
const WITHIN_NUMBER = /(?<=\d)[^\p{L}\p{N}\p{M}\s,'’_-]+(?=\d)|(?<=\p{L})\.(?=\d)|(?<=\d)\.(?=[xX](?![\p{L}\p{N}]))/gu;
/** Marks without a letter to stand on would be written over the slash before them. */
const LONE_MARKS = /(?<![\p{L}\p{N}\p{M}])\p{M}+/gu;
const HALF_LETTER = /[\ud800-\udbff]$/;

/** Paths of the site itself, which no article may take. */
const RESERVED = new Set([
  'account',
  'admin',
  'api',
  'apple-touch-icon',
  'article',
  'articles',
  'assets',
  'atom',
  'auth',
  'author',
  'authors',
  'cards',
  'categories',
  'category',
  'connections',
  'dashboard',
  'desk',
  'digest',
  'docs',
  'favicon',
  'feed',
  'graphiql',
  'graphql',
  'health',
  'healthz',
  'help',
  'images',
  'index',
  'legal',
  'live',
  'llms',
  'llms-full',
  'login',
  'logout',
  'manifest',
  'mcp',
  'me',
  'metrics',
  'newsletter',
  'notifications',
  'openapi',
  'privacy',
  'public',
  'readyz',
  'ready',
  'register',
  'robots',
  'roundup',
  'roundups',
  'rss',
  'search',
  'series',
  'settings',
  'signup',
  'sitemap',
  'static',
  'status',
  'tag',
  'tags',
  'terms',
  'tokens',
  'unsubscribe',
  'user',
  'users',
  'well-known',
]);

/** A slug for a title: never empty, at most 80 characters, cut between words if possible. */
export function buildSlug(title: string): string {
  return normaliseSlug(title) ?? FALLBACK;
}

/** The slug for a text, or null if no character of it can be part of an address. */
export function normaliseSlug(text: string): string | null {
  return shorten(joinWords(text, /[^\p{L}\p{N}\p{M}]+/gu), MAX_LENGTH) || null;
}

/** A slug as its author wrote it, kept as far as an address allows: `_` stays, and it may be up to 150 characters long. */
export function readOwnSlug(text: string): string | null {
  const slug = shorten(joinWords(text, /[^\p{L}\p{N}\p{M}_]+/gu), MAX_OWN_LENGTH);
  return /[\p{L}\p{N}]/u.test(slug) ? slug : null;
}

/** True if the slug is an address of the site itself. */
export function isReservedSlug(slug: string): boolean {
  return RESERVED.has(slug.toLowerCase().replace(/\.(?:txt|xml|json|md|ico|png|html)$/, ''));
}

/** The address of an article on this site. */
export function buildArticleUrl(baseUrl: string, slug: string): string {
  return `${baseUrl}/${encodeURIComponent(slug)}`;
}

/** `between` is what a dash stands for. */
function joinWords(text: string, between: RegExp): string {
  const visible = cleanLine(text).normalize('NFKC').replace(INVISIBLE, '');
  const dashed = githubSlug(visible.replace(WITHIN_NUMBER, '-'))
    .replace(between, '-')
    .replace(LONE_MARKS, '')
    .replace(/-{2,}/g, '-')
    .replace(/^-+|-+$/g, '');
  // What was taken out or lowered can leave marks side by side that are not in their canonical order.
  return dashed.normalize('NFKC');
}

function shorten(slug: string, maxLength: number): string {
  if (slug.length <= maxLength) return slug;
  const lastDash = slug.lastIndexOf('-', maxLength);
  // If cutting between words would lose more than half of the slug, cut inside a word instead, but not inside a letter.
  const short = lastDash > maxLength / 2 ? slug.slice(0, lastDash) : slug.slice(0, maxLength).replace(HALF_LETTER, '');
  return short.replace(/-+$/, '');
}
