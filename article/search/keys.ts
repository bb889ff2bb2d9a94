/**
 * Keys stand among the words of an article, so that one index answers "these words, with this tag, by this author" without looking at more.
 * A word has no slash, a key has one: they never meet.
 */

export type KeyKind =
  /** A word of the title or of a tag. */
  | 'named'
  | 'tag'
  /** The author's id. */
  | 'author'
  /** The rules by which the words of the article were made. */
  | 'rules';

export function writeKey(kind: KeyKind, name: string): string {
  return `${kind}/${name}`;
}

/** PostgreSQL takes no words of more than 2 KiB. Whoever searches by a longer tag compares the tag itself too. */
const MAX_TAG = 200;

export function buildTagKey(tag: string): string {
  return writeKey('tag', tag.slice(0, MAX_TAG).toWellFormed());
}
