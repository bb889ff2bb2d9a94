/** Selects what an article's social card shows and builds its path, which its text determines. */
import { createHash } from 'node:crypto';
import { describeSite } from '../discovery/site.ts';
import type { StoredArticle } from '../discovery/stored-article.ts';
import { cleanLine } from '../text/clean-text.ts';
import { formatDate } from '../text/format-date.ts';

/** In pixels; the size that social networks request. */
export const CARD_WIDTH = 1200;
export const CARD_HEIGHT = 630;

export interface Card {
  site: string;
  title: string;
  author: string;
  /** `November 20, 2026 · 4 min read`. */
  facts: string;
  tags: string[];
  /** BCP 47; selects the font for Han letters. */
  language: string | null;
}

/** Increment when the drawing changes, so that networks fetch the new card. */
const DRAWING_VERSION = 1;
const HASH = /^(.+)-([0-9a-f]{16})\.png$/s;
/** In graphemes: as much as fits, which also bounds the work for a hostile title. */
const MAX_TITLE = 220;
const MAX_AUTHOR = 40;
const MAX_TAG = 24;
const MAX_TAGS = 3;

export function describeCard({ title, author, publishedAt, derived, tags }: StoredArticle, baseUrl: string): Card {
  return {
    site: describeSite(baseUrl).name,
    title: cleanCardText(title, MAX_TITLE),
    author: cleanCardText(author.name, MAX_AUTHOR),
    facts: `${formatDate(publishedAt)} · ${derived.readingTimeMinutes} min read`,
    tags: tags.slice(0, MAX_TAGS).map((tag) => cleanCardText(tag, MAX_TAG)),
    language: derived.language,
  };
}

export function hashCard(card: Card): string {
  const { site, title, author, facts, tags, language } = card;
  const content = JSON.stringify([DRAWING_VERSION, site, title, author, facts, tags, language]);
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}

export function buildCardPath(slug: string, hash: string): string {
  return `/cards/${encodeURIComponent(slug)}-${hash}.png`;
}

/** Parses the last segment of a card path, already decoded. */
export function readCardName(name: string): { slug: string; hash: string } | null {
  const [, slug, hash] = HASH.exec(name) ?? [];
  return slug === undefined || hash === undefined ? null : { slug, hash };
}

/** No letter of a living script carries more than three marks. */
const MARK_FLOOD = /(\p{M}{3})\p{M}+/gu;
/** In UTF-16 units. Longer lines are cut before they are segmented. */
const MAX_UNITS = 4_000;
const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

export function cleanCardText(text: string, length: number): string {
  const line = cleanLine(text.slice(0, MAX_UNITS).toWellFormed()).replace(MARK_FLOOD, '$1');
  let shortened = '';
  let count = 0;
  for (const { segment } of GRAPHEMES.segment(line)) {
    if (++count > length) return `${shortened.trimEnd()}…`;
    shortened += segment;
  }
  return shortened;
}
