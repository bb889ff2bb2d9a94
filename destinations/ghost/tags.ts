/** Ghost's tags: named as the author names them; Ghost makes their addresses, and the tags where there are none yet. */
import type { Notice } from '../../article/types.ts';
import { plainLine } from '../http/reason.ts';
import { GHOST_LABEL, GHOST_TAG_LENGTH } from './limits.ts';

export function ghostTags(names: readonly string[]): { tags: { name: string }[]; losses: Notice[] } {
  const kept = new Map<string, string>();
  const losses: Notice[] = [];
  for (const given of names) {
    // A leading `#` makes a tag that readers do not see, and a leading comma is refused.
    const name = plainLine(given).replace(/^[#,\s]+/, '');
    if (kept.has(name.toLowerCase())) continue;
    if (name !== '' && [...name].length <= GHOST_TAG_LENGTH) {
      kept.set(name.toLowerCase(), name);
    } else {
      const why = name === '' ? 'it has no letters' : `it is longer than ${GHOST_TAG_LENGTH} characters`;
      losses.push({ code: 'tag_dropped', message: `${GHOST_LABEL} gets no tag “${given}”: ${why}.`, path: 'tags' });
    }
  }
  return { tags: [...kept.values()].map((name) => ({ name })), losses };
}
