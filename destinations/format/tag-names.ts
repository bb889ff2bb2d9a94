/** Spells out tags with meaningful signs, for platforms that accept letters and digits only. */

/** Lower case, without a leading `#`, meaningful signs in words: "C#" is "csharp". */
export function spellTag(tag: string): string {
  const name = tag.trim().replace(/^#/, '').toLowerCase();
  return SPELLED.get(name) ?? name;
}

/** A map, not an object: a tag may be called `__proto__`. */
const SPELLED = new Map([
  ['c#', 'csharp'],
  ['c++', 'cpp'],
  ['f#', 'fsharp'],
  ['.net', 'dotnet'],
]);
