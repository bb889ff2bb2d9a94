/** Medium's tags: free words, of which it uses the first three and overlooks the long ones. */
import type { Notice } from '../../article/types.ts';
import { plainLine } from '../http/reason.ts';
import { MEDIUM_LABEL, MEDIUM_TAG_LENGTH, mediumLimits } from './limits.ts';

export function mediumTags(names: readonly string[]): { tags: string[]; losses: Notice[] } {
  const tags: string[] = [];
  const losses: Notice[] = [];
  for (const given of names) {
    const tag = plainLine(given).replace(/^#\s*/, '');
    if (tag === '' || tags.some((kept) => kept.toLowerCase() === tag.toLowerCase())) continue;
    const isLong = tag.length > MEDIUM_TAG_LENGTH;
    if (!isLong && tags.length < mediumLimits.tags) {
      tags.push(tag);
    } else {
      const why = isLong
        ? `it is longer than ${MEDIUM_TAG_LENGTH} characters`
        : `it takes no more than ${mediumLimits.tags}`;
      losses.push({ code: 'tag_dropped', message: `${MEDIUM_LABEL} gets no tag “${tag}”: ${why}.`, path: 'tags' });
    }
  }
  return { tags, losses };
}
