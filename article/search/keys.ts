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

/** PostgreSQL takes no longer words than 2 KiB; the tag itself is compared as well. */
const MAX_TAG = 200;

/** Tags that differ in case only are one. */
export function buildTagKey(tag: string): string {
  return tag.normalize('NFC').toLowerCase().slice(0, MAX_TAG).toWellFormed();
}
