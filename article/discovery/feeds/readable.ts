/** Cleans the texts of a feed, so that every feed reader can parse them. */
import { cutAtWord } from '../../describe/cut-text.ts';
import { cleanLine } from '../../text/clean-text.ts';
import type { Feed, FeedEntry } from './feed.ts';
import { buildPortableHtml, resolveWebAddress } from './portable-html.ts';

const MAX_EXCERPT = 1_000;
/** Characters that XML 1.0 cannot represent, even as references, and discouraged controls. */
const NOT_IN_XML = /[^\t\n\u0020-\u007e\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Cleans lines, shortens excerpts, makes HTML portable, drops characters that XML cannot hold. */
export function makeReadable(feed: Feed): Feed {
  return {
    ...feed,
    title: cleanText(feed.title),
    description: cleanText(feed.description),
    entries: feed.entries.map(makeEntryReadable),
  };
}

function makeEntryReadable(entry: FeedEntry): FeedEntry {
  const { url, html, coverImage } = entry;
  return {
    ...entry,
    canonicalUrl: resolveWebAddress(entry.canonicalUrl, url) ?? url,
    title: cleanText(entry.title) || 'Untitled',
    subtitle: entry.subtitle === null ? null : cleanText(entry.subtitle) || null,
    excerpt: cutAtWord(cleanText(entry.excerpt), MAX_EXCERPT),
    html: html === null ? null : dropUnwritable(buildPortableHtml(html, url)).trim() || null,
    language: entry.language === null ? null : cleanText(entry.language) || null,
    tags: entry.tags.map(cleanText).filter((tag) => tag !== ''),
    category: entry.category === null ? null : cleanText(entry.category) || null,
    author: { ...entry.author, name: cleanText(entry.author.name) },
    coverImage: coverImage === null ? null : resolveWebAddress(coverImage, url),
  };
}

function cleanText(text: string): string {
  return cleanLine(dropUnwritable(text));
}

function dropUnwritable(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(NOT_IN_XML, '');
}
