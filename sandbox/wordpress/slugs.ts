/** Builds slugs as WordPress does. */

/** Lower case, letters and digits of any script, dashes. */
export function buildSlug(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const dashed = plain.replace(/[.\s/]+/g, '-').replace(/[^\p{L}\p{N}_-]/gu, '');
  return dashed.replace(/-+/g, '-').replace(/^-|-$/g, '');
}

/** Adds -2, -3 … if another record has the slug. */
export function findFreeSlug(requested: string, others: readonly { slug: string }[]): string {
  const taken = new Set(others.map(({ slug }) => slug));
  let slug = requested;
  for (let count = 2; taken.has(slug); count += 1) slug = `${requested}-${count}`;
  return slug;
}

/** Whether a record has one of the slugs of a query, if the query names any. */
export function hasSlug({ slug }: { slug: string }, query: string | undefined): boolean {
  return query === undefined || query.split(',').map(buildSlug).includes(slug);
}
