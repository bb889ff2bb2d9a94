/**
 * Stores an imported post as an article, in one transaction with its record, so that a crash leaves
 * both or neither. Nothing is delivered or notified before its author publishes the article again.
 */
import type { Transaction } from 'kysely';
import { buildTitleKey } from '../../article/identity/match.ts';
import { buildSlug } from '../../article/identity/slug.ts';
import type { Notice, RenderedArticle } from '../../article/types.ts';
import { listClashWarnings } from '../articles/canonical-clashes.ts';
import { createArticle, isSlugRace } from '../articles/publish/save-article.ts';
import { requireStorage } from '../articles/publish/storage.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { placeInSeries } from '../series/series.ts';
import { adoptCopy } from './adopt-copy.ts';
import { findKnownArticle, type SourcePostIdentity } from './find-known.ts';
import { recordItem } from './record-item.ts';
import { type ListedItem, lockOpenItem, recordKnown, recordOrigin } from './record-known.ts';

export interface ImportedPost extends SourcePostIdentity, ListedItem {
  rendered: RenderedArticle;
  document: string;
  /** Preferred slug of the article. */
  slug: string | null;
  publishedAt: Date | null;
  updatedAt: Date | null;
  warnings: readonly Notice[];
  storageLimit: number;
}

/** No effect on an ended item. Throws STORAGE_FULL, SUSPENDED, UNAUTHENTICATED. */
export async function storePost(db: Database, post: ImportedPost): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute((tx) => storeInTransaction(tx, post));
    } catch (error) {
      if (attempt < 4 && isSlugRace(error)) continue;
      throw error;
    }
  }
}

async function storeInTransaction(tx: Transaction<DB>, post: ImportedPost): Promise<void> {
  const { item, authorId, dryRun, now, copy } = post;
  if (!(await lockOpenItem(tx, post))) return;
  const known = await findKnownArticle(tx, post);
  if (known) {
    await recordKnown(tx, post, known);
    return;
  }
  if (dryRun) {
    await recordItem(tx, item, { outcome: 'created', warnings: post.warnings }, now);
    return;
  }
  const { id, warnings } = await createImportedArticle(tx, post);
  const adopted = copy !== null && (await adoptCopy(tx, { ...copy, authorId, articleId: id }));
  await recordOrigin(tx, post, id);
  await recordItem(
    tx,
    item,
    { outcome: 'created', articleId: id, warnings: [...post.warnings, ...warnings], adopted },
    now,
  );
}

async function createImportedArticle(
  tx: Transaction<DB>,
  post: ImportedPost,
): Promise<{ id: string; warnings: Notice[] }> {
  const { authorId, draft, rendered, document: documentText, now, baseUrl, storageLimit } = post;
  const { storedBytes } = await tx
    .selectFrom('users')
    .select('storedBytes')
    .where('id', '=', authorId)
    .executeTakeFirstOrThrow();
  const newBytes = Buffer.byteLength(documentText);
  requireStorage({ usedBytes: storedBytes, oldBytes: 0, newBytes }, storageLimit);
  // A future date would list the article before everything published until then.
  const publishedAt = post.publishedAt !== null && post.publishedAt < now ? post.publishedAt : now;
  const isPublic = draft.status === 'PUBLISHED';
  const state = { status: draft.status, scheduledAt: null, publishedAt: isPublic ? publishedAt : null };
  const content = { authorId, draft, rendered, baseUrl, now };
  const input = { ...content, source: documentText, documentSource: null, syndicate: true };
  const wantedSlug = post.slug ?? buildSlug(draft.title);
  const warnings: Notice[] = [];
  const { id } = await createArticle(
    tx,
    input,
    { state, wakes: 'none', traceparent: null, addedBytes: newBytes },
    wantedSlug,
    warnings,
  );
  const { updatedAt } = post;
  const changedAt = updatedAt !== null && updatedAt < now && updatedAt > publishedAt ? updatedAt : publishedAt;
  await tx.updateTable('articles').set({ imported: true, updatedAt: changedAt }).where('id', '=', id).execute();
  if (draft.seriesId !== null) {
    const { seriesId } = draft;
    await tx
      .insertInto('series')
      .values({ authorId, title: seriesId, titleKey: buildTitleKey(seriesId), createdAt: now })
      .onConflict((conflict) => conflict.columns(['authorId', 'titleKey']).doNothing())
      .execute();
    warnings.push(...(await placeInSeries(tx, { authorId, articleId: id, seriesId })));
  }
  if (isPublic) warnings.push(...(await listClashWarnings(tx, id, baseUrl)));
  return { id, warnings };
}
