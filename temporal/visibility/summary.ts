/** Builds the one-line summary of an article or delivery workflow for the Temporal UI. */
import { cutAtWord } from '../../article/describe/cut-text.ts';
import type { DestinationKey } from '../../article/types.ts';
import { toPlainLine } from '../../destinations/format/plain-line.ts';
import { nameDestination } from '../../destinations/registry.ts';

/** The server rejects summaries above 400 bytes of JSON. A character has at most four bytes. */
const MAX_NAME_LENGTH = 25;
const MAX_TITLE_LENGTH = 60;

export interface NamedArticle {
  authorName: string;
  title: string;
  platforms: Partial<Record<DestinationKey, string>>;
}

/** "Ann: One file… → DEV"; without a destination, "Ann: One file…". */
export function summarise({ authorName, title, platforms }: NamedArticle, destination?: DestinationKey): string {
  const article = `${escapeMarkdown(authorName, MAX_NAME_LENGTH)}: ${escapeMarkdown(title, MAX_TITLE_LENGTH)}`;
  if (destination === undefined) return article;
  const platform = platforms[destination];
  return `${article} → ${nameDestination(destination, platform === undefined ? [] : [{ destination, platform }])}`;
}

/** Escapes user-written text, because the UI renders the summary as Markdown. */
function escapeMarkdown(text: string, length: number): string {
  return cutAtWord(toPlainLine(text), length)
    .replace(/[\\`*_~[\]<>&|#$]/g, '\\$&')
    .replace(/^[-+=]|(?<=^\d+)[.)]/, '\\$&');
}
