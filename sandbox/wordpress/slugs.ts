/** Slugs as WordPress makes them. */

/** What WordPress makes an address of: lower case, letters and digits of any script, dashes. */
export function slugOf(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain
    .replace(/[.\s/]+/g, '-')
    .replace(/[^\p{L}\p{N}_-]/gu, '')
    .replace(/-+/g, '-')
    .replace(/^-|-$/g, '');
}

/** With -2, -3 … where the slug is taken. */
export function uniqueSlug(wanted: string, taken: ReadonlySet<string>): string {
  let slug = wanted;
  for (let count = 2; taken.has(slug); count += 1) slug = `${wanted}-${count}`;
  return slug;
}
