/** Records a post that already exists as an article. The article stays; its copy may be adopted. */
import type { Transaction } from 'kysely';
import type { ImportSource } from '../../article/import/import-address.ts';
import type { Notice } from '../../article/types.ts';
import { createSuspendedError } from '../commands/refused-command.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { lockUser } from '../users/lock-user.ts';
import { adoptCopy, type SourceCopy } from './adopt-copy.ts';
import { findImportedArticle, type KnownArticle } from './find-known.ts';
import { type ItemKey, recordItem } from './record-item.ts';
import { type ArticleWithCopies, storeImageCopies } from './store-copies.ts';

export interface ListedItem {
  item: ItemKey;
  authorId: string;
  source: ImportSource;
  /** See `ImportPlace.origin`. */
  origin: string;
  remoteId: string;
  /** The post at the source, if it is at an account that the author has connected. */
  copy: SourceCopy | null;
  dryRun: boolean;
  now: Date;
}

/** Without its text. False if its origin is unknown. Throws SUSPENDED, UNAUTHENTICATED. */
export function recordImported(
  db: Database,
  { images, ...post }: ListedItem & { images: LaterCopiedImages | null },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    if (!(await lockOpenItem(tx, post))) return true;
    const known = await findImportedArticle(tx, post);
    if (known === null) return false;
    const copied = images === null ? null : await storeLaterCopies(tx, post.authorId, images);
    await recordKnown(tx, post, { ...known, ...copied });
    return true;
  });
}

/** Pictures copied for a post that was imported before. */
export interface LaterCopiedImages extends Omit<ArticleWithCopies, 'text'> {
  count: number;
  /** Null if no picture could be copied. */
  text: ArticleWithCopies['text'] | null;
  warnings: readonly Notice[];
}

async function storeLaterCopies(
  tx: Transaction<DB>,
  authorId: string,
  { text, count, warnings, ...images }: LaterCopiedImages,
) {
  const isStored = text !== null && (await storeImageCopies(tx, authorId, { ...images, text }));
  if (!isStored) return { warnings };
  return {
    warnings,
    reason: `Already imported. ${count === 1 ? 'A picture was' : `${count} pictures were`} copied now.`,
  };
}

/** False if the import has ended or the item has an outcome. Throws SUSPENDED, UNAUTHENTICATED. */
export async function lockOpenItem(
  tx: Transaction<DB>,
  { authorId, item: { importId, number } }: Pick<ListedItem, 'authorId' | 'item'>,
): Promise<boolean> {
  const author = await lockUser(tx, authorId);
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

/**
 * The caller's transaction must hold the open item. An uncertain match is not adopted, because the
 * article's next publish would overwrite the post.
 */
export async function recordKnown(
  tx: Transaction<DB>,
  post: ListedItem,
  known: KnownArticle & { warnings?: readonly Notice[] },
): Promise<void> {
  const { item, authorId, copy, dryRun, now } = post;
  const mayAdopt = !dryRun && known.isAvailable && known.isCertain && copy !== null;
  const adopted = mayAdopt && (await adoptCopy(tx, { ...copy, authorId, articleId: known.id }));
  if (!dryRun && known.isCertain) await recordOrigin(tx, post, known.id);
  const { id: articleId, reason, warnings = [] } = known;
  await recordItem(tx, item, { outcome: 'present', articleId, reason, warnings, adopted }, now);
}

export async function recordOrigin(tx: Transaction<DB>, post: ListedItem, articleId: string): Promise<void> {
  const { authorId, source, origin, remoteId, now } = post;
  await tx
    .insertInto('articleOrigins')
    .values({ authorId, source, origin, remoteId, articleId, createdAt: now })
    .onConflict((conflict) => conflict.columns(['authorId', 'source', 'origin', 'remoteId']).doNothing())
    .execute();
}
