/** Builds slugs, the last part of an address: lowercase words of any script, joined by dashes. */
import { slug as githubSlug } from 'github-slugger';
import { cleanLine } from '../text/clean-text.ts';

const MAX_TITLE_SLUG_LENGTH = 80;
/** For a slug that its author chose: permanent, and short enough for every platform. */
const MAX_AUTHOR_SLUG_LENGTH = 150;
/** The slug of a title that has no letter or digit (emoji, punctuation). */
const FALLBACK = 'article';

const HALF_LETTER = /[\ud800-\udbff]$/;

/** Paths of the site itself, which are not available to articles. */
const RESERVED = new Set(
  `about account admin api apple-touch-icon article articles assets atom auth author authors cards categories category
  connections dashboard desk digest docs favicon feed graphiql graphql health healthz help images index legal live
  llms llms-full login logout manifest mcp me metrics newsletter notifications openapi privacy public readyz ready
  register robots roundup roundups rss search series settings signup sitemap static status tag tags terms tokens
  unsubscribe user users well-known`.split(/\s+/),
);

/** A slug for a title: never empty, at most 80 characters, cut between words if possible. */
export function buildSlug(title: string): string {
  return normaliseSlug(title) ?? FALLBACK;
}

/** The slug for a text, or null if no character of it can be part of an address. */
export function normaliseSlug(text: string): string | null {
  return shorten(joinWords(text), MAX_TITLE_SLUG_LENGTH) || null;
}

/** The author's slug, changed only as an address requires: `_` stays, up to 150 characters. */
export function readAuthorSlug(text: string): string | null {
  const slug = shorten(joinWords(text, '_'), MAX_AUTHOR_SLUG_LENGTH);
  return /[\p{L}\p{N}]/u.test(slug) ? slug : null;
}

export function isReservedSlug(slug: string): boolean {
  return RESERVED.has(slug.toLowerCase().replace(/\.(?:txt|xml|json|md|ico|png|html)$/, ''));
}

export function buildArticleUrl(baseUrl: string, slug: string): string {
  return `${baseUrl}/${encodeURIComponent(slug)}`;
}

function shorten(slug: string, maxLength: number): string {
  if (slug.length <= maxLength) return slug;
  const lastDash = slug.lastIndexOf('-', maxLength);
  // If a cut between words would lose more than half, cuts inside a word, but not inside a letter.
  const short = lastDash > maxLength / 2 ? slug.slice(0, lastDash) : slug.slice(0, maxLength).replace(HALF_LETTER, '');
  return short.replace(/-+$/, '');
}

function joinWords(text: string, extra: '' | '_' = ''): string {
  const line = cleanLine(text).normalize('NFKC');
  // Joiners, variation selectors, fillers: with them two different addresses could look the same.
  const invisible = /\p{Default_Ignorable_Code_Point}/gu;
  // `3.13`, `1/2`, `rc.1`, `3.x` would run together. Commas and apostrophes only group digits.
  const within = /(?<=\d)[^\p{L}\p{N}\p{M}\s,'’_-]+(?=\d)|(?<=\p{L})\.(?=\d)|(?<=\d)\.(?=[xX](?![\p{L}\p{N}]))/gu;
  const between = extra === '_' ? /[^\p{L}\p{N}\p{M}_]+/gu : /[^\p{L}\p{N}\p{M}]+/gu;
  // A mark without a letter before it would be drawn over the slash.
  const loneMarks = /(?<![\p{L}\p{N}\p{M}])\p{M}+/gu;
  const visible = line.replace(invisible, '').replace(within, '-');
  const dashed = githubSlug(visible).replace(between, '-').replace(loneMarks, '');
  // Removed and lowercased letters can leave marks in an order that is not canonical.
  return dashed
    .replace(/-{2,}/g, '-')
    .replace(/^-+|-+$/g, '')
    .normalize('NFKC');
}
