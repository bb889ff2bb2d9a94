/** Ghost's tags: the author's names. Ghost creates missing tags and their addresses. */
import type { Notice } from '../../article/types.ts';
import { dropTag } from '../format/notices.ts';
import { toPlainLine } from '../format/plain-line.ts';
import { LABEL, TAG_LENGTH } from './limits.ts';

export function mapTags(names: readonly string[]): { tags: { name: string }[]; losses: Notice[] } {
  const kept = new Map<string, string>();
  const losses: Notice[] = [];
  for (const given of names) {
    // A leading `#` makes a tag that readers do not see, and a leading comma is refused.
    const name = toPlainLine(given).replace(/^[#,\s]+/, '');
    if (kept.has(name.toLowerCase())) continue;
    if (name !== '' && [...name].length <= TAG_LENGTH) {
      kept.set(name.toLowerCase(), name);
    } else {
      const why = name === '' ? 'it has no letters' : `it is longer than ${TAG_LENGTH} characters`;
      losses.push(dropTag(LABEL, given, why));
    }
  }
  return { tags: [...kept.values()].map((name) => ({ name })), losses };
}
