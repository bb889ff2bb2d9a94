/** Converts a fetched post to an article, with copies of its pictures if the author chose that. */
import type { SourcePost } from '../../article/import/source-post.ts';
import type { ConvertedArticle } from '../../sources/conversion/worker.ts';
import { retryLater } from '../../sources/fetch.ts';
import type { SourceResult } from '../../sources/types.ts';
import { findKnownArticle } from '../../store/imports/find-known.ts';
import type { ImportRow, OpenItem } from '../../store/imports/progress.ts';
import { copyImages, type PostImages, planImageRetries } from './copy-images.ts';
import type { ImportStep } from './step.ts';

export const THREADS_BUSY_PAUSE_MS = 5_000;

export interface FetchedItem {
  item: OpenItem;
  post: SourcePost;
}

type Converted = Extract<ConvertedArticle, { ok: true }>;

/** Copies the pictures only if the author chose that and the post is new. */
export async function convertItem(
  step: ImportStep,
  row: ImportRow,
  { item, post }: FetchedItem,
): Promise<SourceResult<Converted>> {
  const { db, baseUrl } = step.deps;
  if (row.images === 'keep' || row.dryRun) return convert(step, row, post, null);
  const original = await convert(step, row, post, new Map());
  if (original.kind !== 'done' || original.value.images.length === 0) return original;
  const identity = { ...buildSourceKey(row, post), draft: original.value.draft, baseUrl };
  if (await findKnownArticle(db, identity)) return original;
  const copied = await copyImages(step, buildPostImages(step, row, item, original.value.images));
  if (copied.kind !== 'done') return copied;
  const { copies, warnings } = copied.value;
  const converted = copies.size === 0 ? original : await convert(step, row, post, copies);
  if (converted.kind !== 'done') return converted;
  return { kind: 'done', value: { ...converted.value, warnings: [...converted.value.warnings, ...warnings] } };
}

export function buildPostImages(
  { deps: { imagePausesMs } }: ImportStep,
  { id, userId }: ImportRow,
  { attempts }: OpenItem,
  addresses: readonly string[],
): PostImages {
  return { importId: id, authorId: userId, addresses, retryPlan: planImageRetries(attempts, imagePausesMs) };
}

async function convert(
  { deps: { now, baseUrl, conversions } }: ImportStep,
  { userId, asDraft }: ImportRow,
  post: SourcePost,
  copies: ReadonlyMap<string, string> | null,
): Promise<SourceResult<Converted>> {
  const task = { post, isDraft: asDraft, copies, siteOrigin: baseUrl, now: now() };
  const article = await conversions.convert(userId, task);
  if (article === 'busy')
    return retryLater('Too many documents are being read at once.', THREADS_BUSY_PAUSE_MS, 'ours');
  return article.ok
    ? { kind: 'done', value: article }
    : { kind: 'refused', code: article.code, reason: article.reason };
}

export function buildSourceKey({ userId, source, place }: ImportRow, { remoteId }: SourcePost) {
  return { authorId: userId, source, origin: place.origin, remoteId };
}
