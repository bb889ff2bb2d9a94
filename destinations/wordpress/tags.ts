/** Maps tags to a site's, which are free text. */
import type { Notice } from '../../article/types.ts';
import { dropTag } from '../format/notices.ts';
import { toPlainLine } from '../format/plain-line.ts';
import { LABEL, limits, TAG_LENGTH } from './limits.ts';

/** Names as the site shows them. Case makes no difference. */
export function mapTags(names: readonly string[]): { tags: string[]; losses: Notice[] } {
  const tags: string[] = [];
  const losses: Notice[] = [];
  const seen = new Set<string>();
  for (const original of names) {
    const name = toPlainLine(original).replace(/^#/, '').trim();
    const key = name.toLowerCase();
    if (name === '' || seen.has(key)) continue;
    seen.add(key);
    if (name.length <= TAG_LENGTH && tags.length < limits.tags) {
      tags.push(name);
    } else {
      const reason =
        name.length > TAG_LENGTH ? `it is longer than ${TAG_LENGTH} characters` : `the limit is ${limits.tags}`;
      losses.push(dropTag(LABEL, name.slice(0, 60), reason));
    }
  }
  return { tags, losses };
}
