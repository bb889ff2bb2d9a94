/** Tags whose signs carry their meaning, spelled out for platforms that take letters and digits only. */

/** The tag in lower case, without a leading `#`, its signs in words where they matter: "C#" is "csharp". */
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
