/** Slugs: the last part of an article's address. Lower case, words joined by dashes, letters of any script. */
import { slug as githubSlug } from 'github-slugger';
import { cleanLine } from './clean-text.ts';

const MAX_LENGTH = 80;
/** What a title without a single letter or digit (emoji, punctuation) becomes. */
const FALLBACK = 'article';

/** Paths of the site that an article must not take, whatever its title. */
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

/** A slug for a title: never empty, at most 80 characters, cut between words where it can be. */
export function slugFromTitle(title: string): string {
  return normaliseSlug(title) ?? FALLBACK;
}

/** The slug that a text gives, or null where nothing of it can stand in an address. */
export function normaliseSlug(text: string): string | null {
  const dashed = githubSlug(cleanLine(text).normalize('NFKC'))
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  return shorten(dashed) || null;
}

/** True for a slug that is an address of the site itself. */
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
  // A cut that loses more than half is no cut between words but the loss of the title.
  const short = lastDash > MAX_LENGTH / 2 ? cut.slice(0, lastDash) : letters.slice(0, MAX_LENGTH).join('');
  return short.replace(/-+$/, '');
}
