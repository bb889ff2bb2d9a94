/**
 * Maps tags to Medium's, which are free text. Medium uses the first three and ignores long ones.
 */
import type { Notice } from '../../article/types.ts';
import { dropTag } from '../format/notices.ts';
import { toPlainLine } from '../format/plain-line.ts';
import { LABEL, limits, TAG_LENGTH } from './limits.ts';

export function mapTags(names: readonly string[]): { tags: string[]; losses: Notice[] } {
  const tags: string[] = [];
  const losses: Notice[] = [];
  for (const original of names) {
    const tag = toPlainLine(original).replace(/^#\s*/, '');
    if (tag === '' || tags.some((other) => other.toLowerCase() === tag.toLowerCase())) continue;
    const isLong = tag.length > TAG_LENGTH;
    if (!isLong && tags.length < limits.tags) {
      tags.push(tag);
    } else {
      const reason = isLong ? `it is longer than ${TAG_LENGTH} characters` : `the limit is ${limits.tags}`;
      losses.push(dropTag(LABEL, tag, reason));
    }
  }
  return { tags, losses };
}
