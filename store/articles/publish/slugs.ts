/** Slugs are unique on the site, former ones included: the old address must keep redirecting. */
import { randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import { isReservedSlug } from '../../../article/identity/slug.ts';
import type { DB } from '../../db/types.ts';

/** How many numbered variants are tried before a random one is taken. */
const NUMBERED_VARIANTS = 50;

/** Whether an article may have this slug. The article `articleId` may take back its own former slugs. */
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

/** Moves an article's address and leaves a redirect. The caller has made sure that `to` is free. */
export async function moveSlug(tx: Transaction<DB>, move: { articleId: string; from: string; to: string }) {
  await tx.deleteFrom('slugRedirects').where('slug', '=', move.to).where('articleId', '=', move.articleId).execute();
  await tx.insertInto('slugRedirects').values({ slug: move.from, articleId: move.articleId }).execute();
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
