/**
 * Builds keys among the words of an article, so that one index answers "these words, with this tag,
 * by this author". Only keys contain a slash.
 */
import { foldWord } from './words.ts';

export type KeyKind =
  /** A word of the title or of a tag. */
  | 'named'
  /** All words of the title, in their order. */
  | 'title'
  | 'tag'
  | 'author'
  /** The word rules that produced the words of the article. */
  | 'rules';

export function writeKey(kind: KeyKind, name: string): string {
  return `${kind}/${name}`;
}

/** PostgreSQL rejects words of more than 2 KiB. */
const MAX_NAME = 200;

/** Truncated. A search for a longer tag must compare the tag itself too. */
export function buildTagKey(tag: string): string {
  return writeKey('tag', tag.slice(0, MAX_NAME).toWellFormed());
}

/** `words` are the words of the title, as `splitSearchWords` returns them. */
export function buildTitleSearchKey(words: readonly string[]): string {
  return writeKey('title', words.map(foldWord).join(' ').slice(0, MAX_NAME).toWellFormed());
}
