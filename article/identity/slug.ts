/** Slugs, the last part of an article's address: lower case, words joined by dashes, letters of any script. */
import { slug as githubSlug } from 'github-slugger';
import { cleanLine } from '../text/clean-text.ts';

const MAX_LENGTH = 80;
/** The slug of a title that has no letter or digit (emoji, punctuation). */
const FALLBACK = 'article';

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
  'categories',
  'category',
  'connections',
  'dashboard',
  'digest',
  'docs',
  'favicon',
  'feed',
  'graphiql',
  'graphql',
  'health',
  'healthz',
  'help',
  'index',
  'legal',
  'live',
  'llms',
  'llms-full',
  'login',
  'logout',
  'manifest',
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
  const dashed = githubSlug(cleanLine(text).normalize('NFKC'))
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    // What was taken out or lowered can leave marks side by side that are not in their canonical order.
    .normalize('NFKC');
  return shorten(dashed) || null;
}

/** True if the slug is an address of the site itself. */
export function isReservedSlug(slug: string): boolean {
  return RESERVED.has(slug.toLowerCase().replace(/\.(?:txt|xml|json|md|ico|png|html)$/, ''));
}

/** The address of an article on this site. */
export function buildArticleUrl(baseUrl: string, slug: string): string {
  return `${baseUrl}/${encodeURIComponent(slug)}`;
}

function shorten(slug: string): string {
  const letters = [...slug];
  if (letters.length <= MAX_LENGTH) return slug;
  const cut = letters.slice(0, MAX_LENGTH + 1).join('');
  const lastDash = cut.lastIndexOf('-');
  // If cutting between words would lose more than half of the slug, cut inside a word instead.
  const short = lastDash > MAX_LENGTH / 2 ? cut.slice(0, lastDash) : letters.slice(0, MAX_LENGTH).join('');
  return short.replace(/-+$/, '');
}
