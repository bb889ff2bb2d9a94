/** Forem's tags: at most four, ASCII letters and digits only, at most thirty of them. */
import type { Notice } from '../../article/types.ts';
import { spellTag } from '../format/tag-names.ts';
import { FOREM_TAG_LENGTH, foremLimits } from './limits.ts';

export function foremTags(tags: readonly string[]): { tags: string[]; losses: Notice[] } {
  const kept: string[] = [];
  const losses: Notice[] = [];
  const drop = (tag: string, why: string) => {
    losses.push({ code: 'tag_dropped', message: `DEV / Forem gets no tag “${tag}”: ${why}.`, path: 'tags' });
  };
  for (const tag of tags) {
    const mapped = foremTag(tag);
    if (kept.includes(mapped)) continue;
    if (mapped === '') drop(tag, 'it has no letters or digits that Forem knows');
    else if (mapped.length > FOREM_TAG_LENGTH) drop(tag, `it is longer than ${FOREM_TAG_LENGTH} characters`);
    else if (kept.length === foremLimits.tags) drop(tag, `it takes no more than ${foremLimits.tags}`);
    else kept.push(mapped);
  }
  return { tags: kept, losses };
}

function foremTag(tag: string): string {
  return spellTag(tag)
    .normalize('NFKD')
    .replace(/[^a-z0-9]/g, '');
}
