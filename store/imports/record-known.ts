/** What becomes of a post that is an article here already: it is left as it is, and its copy at the source may be adopted. */
import type { Transaction } from 'kysely';
import type { ImportSource } from '../../article/import/place.ts';
import { createSuspendedError } from '../commands/refused-command.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { lockAccount } from '../users/lock-account.ts';
import { adoptCopy, type SourceCopy } from './adopt-copy.ts';
import { findImported, type KnownArticle } from './find-known.ts';
import { type ItemKey, recordItem } from './record-item.ts';

export interface ListedItem {
  item: ItemKey;
  authorId: string;
  source: ImportSource;
  /** See `Place.origin`. */
  origin: string;
  remoteId: string;
  /** The post at the source, where it stands at an account that the author has connected. */
  copy: SourceCopy | null;
  dryRun: boolean;
  now: Date;
}

/**
 * Records a post that was imported before, for which nothing of its text is needed. False where it is not known by its source. Throws SUSPENDED,
 * UNAUTHENTICATED.
 */
export function recordImported(db: Database, post: ListedItem): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    if (!(await lockOpenItem(tx, post))) return true;
    const known = await findImported(tx, post);
    if (known) await recordKnown(tx, post, known);
    return known !== null;
  });
}

/** False where the import has ended, or the item has an outcome. Throws SUSPENDED, UNAUTHENTICATED. */
export async function lockOpenItem(
  tx: Transaction<DB>,
  { authorId, item: { importId, number } }: Pick<ListedItem, 'authorId' | 'item'>,
): Promise<boolean> {
  const author = await lockAccount(tx, authorId);
  if (author.suspendedAt !== null) throw createSuspendedError();
  const row = await tx
    .selectFrom('importItems')
    .innerJoin('imports', 'imports.id', 'importItems.importId')
    .select('importItems.number')
    .where('imports.id', '=', importId)
    .where('imports.state', '=', 'running')
    .where('importItems.number', '=', number)
    .where('importItems.outcome', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** In a transaction that holds the open item. */
export async function recordKnown(tx: Transaction<DB>, post: ListedItem, known: KnownArticle): Promise<void> {
  const { item, authorId, copy, dryRun, now } = post;
  const mayAdopt = !dryRun && known.isHere && copy !== null;
  const adopted = mayAdopt && (await adoptCopy(tx, { ...copy, authorId, articleId: known.id, now }));
  if (!dryRun) await noteOrigin(tx, post, known.id);
  await recordItem(tx, item, { outcome: 'present', articleId: known.id, reason: known.reason, adopted }, now);
}

export async function noteOrigin(tx: Transaction<DB>, post: ListedItem, articleId: string): Promise<void> {
  const { authorId, source, origin, remoteId, now } = post;
  await tx
    .insertInto('articleOrigins')
    .values({ authorId, source, origin, remoteId, articleId, createdAt: now })
    .onConflict((conflict) => conflict.columns(['authorId', 'source', 'origin', 'remoteId']).doNothing())
    .execute();
}
