/** Builds slugs as WordPress does. */

/** Lower case, letters and digits of any script, dashes. */
export function buildSlug(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain
    .replace(/[.\s/]+/g, '-')
    .replace(/[^\p{L}\p{N}_-]/gu, '')
    .replace(/-+/g, '-')
    .replace(/^-|-$/g, '');
}

/** Adds -2, -3 … if the slug is in use. */
export function findFreeSlug(requested: string, taken: ReadonlySet<string>): string {
  let slug = requested;
  for (let count = 2; taken.has(slug); count += 1) slug = `${requested}-${count}`;
  return slug;
}
