/** Allocates slugs, unique on the site, former ones included. A trigger records former slugs. */
import { randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import { isReservedSlug } from '../../../article/identity/slug.ts';
import type { DB } from '../../db/types.ts';

/** Numbered variants that are tried before a random one. */
const NUMBERED_VARIANTS = 50;

/** Whether an article may have this slug. `articleId` may reuse its own former slugs. */
export async function isSlugFree(tx: Transaction<DB>, slug: string, articleId: string | null): Promise<boolean> {
  if (isReservedSlug(slug)) return false;
  return (await findTakenSlugs(tx, [slug], articleId)).size === 0;
}

/** `wanted` if it is free, else `wanted-2`, `wanted-3` … */
export async function chooseFreeSlug(tx: Transaction<DB>, wanted: string): Promise<string> {
  if (await isSlugFree(tx, wanted, null)) return wanted;
  const variants = Array.from({ length: NUMBERED_VARIANTS }, (_, index) => `${wanted}-${index + 2}`);
  const taken = await findTakenSlugs(tx, variants, null);
  return variants.find((variant) => !taken.has(variant)) ?? `${wanted}-${randomBytes(4).toString('hex')}`;
}

async function findTakenSlugs(tx: Transaction<DB>, slugs: string[], articleId: string | null): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('articles')
    .select('slug')
    .where('slug', 'in', slugs)
    .unionAll(
      tx
        .selectFrom('slugRedirects')
        .select('slug')
        .where('slug', 'in', slugs)
        .$if(articleId !== null, (query) => query.where('articleId', '!=', articleId as string)),
    )
    .execute();
  return new Set(rows.map((row) => row.slug));
}
