/** Maps tags to Forem's: at most four, ASCII letters and digits only, at most thirty of them. */
import type { Notice } from '../../article/types.ts';
import { dropTag } from '../format/notices.ts';
import { spellTag } from '../format/tag-names.ts';
import { LABEL, limits, TAG_LENGTH } from './limits.ts';

export function mapTags(tags: readonly string[]): { tags: string[]; losses: Notice[] } {
  const accepted: string[] = [];
  const losses: Notice[] = [];
  const drop = (tag: string, reason: string) => {
    losses.push(dropTag(LABEL, tag, reason));
  };
  for (const tag of tags) {
    const mapped = writeTag(tag);
    if (accepted.includes(mapped)) continue;
    if (mapped === '') drop(tag, 'it has no letters or digits that Forem accepts');
    else if (mapped.length > TAG_LENGTH) drop(tag, `it is longer than ${TAG_LENGTH} characters`);
    else if (accepted.length === limits.tags) drop(tag, `the limit is ${limits.tags}`);
    else accepted.push(mapped);
  }
  return { tags: accepted, losses };
}

function writeTag(tag: string): string {
  return spellTag(tag)
    .normalize('NFKD')
    .replace(/[^a-z0-9]/g, '');
}
