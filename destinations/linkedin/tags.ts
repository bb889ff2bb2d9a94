/** Maps tags to LinkedIn's hashtags: letters and digits in one word. */
import type { Notice } from '../../article/types.ts';
import { toPlainLine } from '../format/plain-line.ts';
import { spellTag } from '../format/tag-names.ts';
import { HASHTAG_LENGTH, LABEL, limits } from './limits.ts';

/** Without their `#`. */
export function mapTags(names: readonly string[]): { hashtags: string[]; losses: Notice[] } {
  const hashtags: string[] = [];
  const losses: Notice[] = [];
  for (const tag of names) {
    const name = toPlainLine(tag);
    const hashtag = writeHashtag(name);
    if (hashtags.includes(hashtag)) continue;
    const reason = explainDrop(hashtag, hashtags.length);
    if (reason === null) hashtags.push(hashtag);
    else {
      const message = `The hashtag for “${name.slice(0, 100)}” is not sent to ${LABEL}: ${reason}.`;
      losses.push({ code: 'tag_dropped', message, path: 'tags' });
    }
  }
  return { hashtags, losses };
}

function explainDrop(hashtag: string, count: number): string | null {
  if (hashtag === '') return 'it has no letters or digits';
  if (hashtag.length > HASHTAG_LENGTH) return `it is longer than ${HASHTAG_LENGTH} characters`;
  return count === limits.tags ? `at most ${limits.tags} are sent` : null;
}

/**
 * Combining marks belong to the letters before them (Hindi, Thai). Without a letter they belong to
 * an emoji.
 */
function writeHashtag(name: string): string {
  return spellTag(name)
    .normalize('NFC')
    .replace(/(?<![\p{L}\p{M}])\p{M}+|[^\p{L}\p{N}\p{M}]+/gu, '');
}
