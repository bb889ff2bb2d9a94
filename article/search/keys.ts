/**
 * Keys stand among the words of an article, so that one index answers "these words, with this tag, by this author" without looking at more.
 * A word has no slash, a key has one: they never meet.
 */
import { foldWord } from './words.ts';

export type KeyKind =
  /** A word of the title or of a tag. */
  | 'named'
  /** All words of the title, in their order. */
  | 'title'
  | 'tag'
  /** The author's id. */
  | 'author'
  /** The rules by which the words of the article were made. */
  | 'rules';

export function writeKey(kind: KeyKind, name: string): string {
  return `${kind}/${name}`;
}

/** PostgreSQL takes no words of more than 2 KiB. */
const MAX_NAME = 200;

/** Whoever searches by a longer tag compares the tag itself too. */
export function buildTagKey(tag: string): string {
  return writeKey('tag', tag.slice(0, MAX_NAME).toWellFormed());
}

/** By the words of the title as `splitWords` gives them. */
export function buildTitleKey(words: readonly string[]): string {
  return writeKey('title', words.map(foldWord).join(' ').slice(0, MAX_NAME).toWellFormed());
}
