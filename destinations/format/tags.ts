/** Maps an author's tags to the tags that a platform accepts. */
import type { Notice } from '../../article/types.ts';
import { dropTag } from './notices.ts';
import { toPlainLine } from './plain-line.ts';

interface TagRules {
  label: string;
  max: number;
  /** In characters. */
  maxLength?: number;
  /** The platform's spelling of a name. Empty if it cannot spell it. */
  spell(name: string): string;
}

interface MappedTag {
  tag: string;
  /** As the author wrote it, without a leading `#`. */
  name: string;
}

/** In order, each tag once, whatever its case. */
export function mapTags(
  names: readonly string[],
  { label, max, maxLength = Number.POSITIVE_INFINITY, spell }: TagRules,
): { tags: MappedTag[]; losses: Notice[] } {
  const tags = new Map<string, MappedTag>();
  const losses: Notice[] = [];
  for (const original of names) {
    const name = toPlainLine(original).replace(/^#\s*/, '');
    const tag = spell(name);
    if (tags.has(tag.toLowerCase())) continue;
    let reason: string | null = null;
    if (tag === '') reason = 'it has no letters or digits';
    else if ([...tag].length > maxLength) reason = `it is longer than ${maxLength} characters`;
    else if (tags.size === max) reason = `the limit is ${max}`;
    if (reason === null) tags.set(tag.toLowerCase(), { tag, name });
    else losses.push(dropTag(label, (name || original).slice(0, 100), reason));
  }
  return { tags: [...tags.values()], losses };
}

/** For platforms that accept letters and digits only: lower case, meaningful signs in words. */
export function spellSigns(name: string): string {
  const folded = name.toLowerCase();
  return SPELLED.get(folded) ?? folded;
}

/** A map, not an object: a tag may be called `__proto__`. */
const SPELLED = new Map([
  ['c#', 'csharp'],
  ['c++', 'cpp'],
  ['f#', 'fsharp'],
  ['.net', 'dotnet'],
]);
