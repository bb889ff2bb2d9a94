/**
 * Copies pictures of a post imported earlier without them, or while their server was unavailable.
 * Does not touch an article that its author has published here since.
 */
import { retryLater } from '../../sources/fetch.ts';
import type { SourceResult } from '../../sources/types.ts';
import type { KnownArticle } from '../../store/imports/find-known.ts';
import type { ImportRow, OpenItem } from '../../store/imports/progress.ts';
import type { LaterCopiedImages } from '../../store/imports/record-known.ts';
import { findUntouched } from '../../store/imports/store-copies.ts';
import { buildPostImages, THREADS_BUSY_PAUSE_MS } from './convert.ts';
import { copyImages } from './copy-images.ts';
import type { ImportStep } from './step.ts';

/** Null if there is nothing to copy. */
export async function copyLater(
  step: ImportStep,
  row: ImportRow,
  { item, known }: { item: OpenItem; known: KnownArticle },
): Promise<SourceResult<LaterCopiedImages | null>> {
  const { db, baseUrl, storageLimit, conversions, now } = step.deps;
  if (row.images === 'keep' || row.dryRun || !known.isAvailable) return NOTHING;
  const article = await findUntouched(db, known.id);
  if (article === null) return NOTHING;
  const replace = (copies: ReadonlyMap<string, string>) =>
    conversions.replaceImages(row.userId, { document: article.source, copies, siteOrigin: baseUrl, now: now() });

  const shown = await replace(new Map());
  if (shown === 'busy') return BUSY;
  const addresses = shown.ok ? shown.images.filter((address) => !address.startsWith(`${baseUrl}/`)) : [];
  if (addresses.length === 0) return NOTHING;
  const copied = await copyImages(step, buildPostImages(step, row, item, addresses));
  if (copied.kind !== 'done') return copied;
  const { copies, warnings } = copied.value;
  const replaced = copies.size === 0 ? null : await replace(copies);
  if (replaced === 'busy') return BUSY;
  const text = replaced?.ok ? replaced : null;
  return { kind: 'done', value: { article, count: copies.size, text, warnings, baseUrl, storageLimit } };
}

const NOTHING = { kind: 'done', value: null } as const;
const BUSY = retryLater('Too many documents are being read at once.', THREADS_BUSY_PAUSE_MS, 'ours');
