/** Maps tags to Hashnode's: the author's names, each with a slug. */
import type { Notice } from '../../article/types.ts';
import { dropTag } from '../format/notices.ts';
import { toPlainLine } from '../format/plain-line.ts';
import { spellTag } from '../format/tag-names.ts';
import { LABEL, limits } from './limits.ts';

export function mapTags(names: readonly string[]): { tags: { slug: string; name: string }[]; losses: Notice[] } {
  const tags: { slug: string; name: string }[] = [];
  const losses: Notice[] = [];
  for (const original of names) {
    const name = toPlainLine(original).replace(/^#/, '');
    const slug = writeSlug(name);
    if (tags.some((tag) => tag.slug === slug)) continue;
    const reason = slug === '' ? 'it has no letters or digits for a tag address' : `the limit is ${limits.tags}`;
    if (slug !== '' && tags.length < limits.tags) tags.push({ slug, name });
    else losses.push(dropTag(LABEL, name, reason));
  }
  return { tags, losses };
}

function writeSlug(name: string): string {
  const plain = spellTag(name)
    .normalize('NFKD')
    .replace(/[\u0300-\u036f.']/g, '');
  return plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
}
