/**
 * Maps tags to Ghost's. Names stay as the author wrote them; Ghost creates missing tags and their
 * addresses.
 */
import type { Notice } from '../../article/types.ts';
import { dropTag } from '../format/notices.ts';
import { toPlainLine } from '../format/plain-line.ts';
import { LABEL, TAG_LENGTH } from './limits.ts';

export function mapTags(names: readonly string[]): { tags: { name: string }[]; losses: Notice[] } {
  const accepted = new Map<string, string>();
  const losses: Notice[] = [];
  for (const tag of names) {
    // A leading `#` creates a tag that readers do not see, and a leading comma is refused.
    const name = toPlainLine(tag).replace(/^[#,\s]+/, '');
    if (accepted.has(name.toLowerCase())) continue;
    if (name !== '' && [...name].length <= TAG_LENGTH) {
      accepted.set(name.toLowerCase(), name);
    } else {
      const reason = name === '' ? 'it has no letters' : `it is longer than ${TAG_LENGTH} characters`;
      losses.push(dropTag(LABEL, tag, reason));
    }
  }
  return { tags: [...accepted.values()].map((name) => ({ name })), losses };
}
