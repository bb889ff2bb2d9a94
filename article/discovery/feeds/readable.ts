/** Texts as every reader of feeds can take them, whatever their author wrote. */
import { cutAtWord } from '../../describe/cut-text.ts';
import { cleanLine } from '../../text/clean-text.ts';
import type { Feed, FeedEntry } from './feed.ts';
import { buildPortableHtml, resolveWebAddress } from './portable-html.ts';

const MAX_EXCERPT = 1_000;
/** Everything that XML 1.0 has no way to write, not even as a reference. A carriage return would come out as a line feed. */
const NOT_IN_XML = /[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** The same feed with clean lines, short excerpts, HTML that is complete in itself, and nothing that XML cannot hold. */
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
  return dropUnwritable(cleanLine(text));
}

function dropUnwritable(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(NOT_IN_XML, '');
}
