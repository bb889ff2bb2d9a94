/** Imports one post: fetches its text if the list has none, converts and stores it. */
import type { SourcePost } from '../../article/import/source-post.ts';
import { SOURCES } from '../../sources/registry.ts';
import type { SourceResult } from '../../sources/types.ts';
import { RefusedCommandError } from '../../store/commands/refused-command.ts';
import { findImportedArticle } from '../../store/imports/find-known.ts';
import { countAttempt, deferItem, endImport, type ImportRow, type OpenItem } from '../../store/imports/progress.ts';
import { recordItem } from '../../store/imports/record-item.ts';
import { recordImported } from '../../store/imports/record-known.ts';
import { storePost } from '../../store/imports/store-post.ts';
import { buildSourceKey, convertItem, type FetchedItem } from './convert.ts';
import { copyLater } from './copy-later.ts';
import { findSourceCopy } from './source-copy.ts';
import type { Advance, ImportStep } from './step.ts';

/** Attempts before the post is refused; a further import tries it again. */
const MAX_ATTEMPTS = 8;
const LOST = { kind: 'refused', code: 'lost', reason: 'The listed post is no longer stored. Import again.' } as const;
const GIVEN_UP = {
  kind: 'refused',
  code: 'given_up',
  reason: 'The post could not be fetched or read after several attempts. Import again later.',
} as const;
const MEMBERS_ONLY = {
  kind: 'refused',
  code: 'members_only',
  reason:
    'Medium’s feed contains only the beginning of this story, because it is for members. Publish its full text from a file.',
} as const;

export async function importItem(step: ImportStep, row: ImportRow, item: OpenItem): Promise<Advance> {
  const { db, now } = step.deps;
  try {
    const ended = await tryItem(step, row, item);
    if (ended.kind === 'later') {
      if (ended.fault === 'ours') await countAttempt(db, item, -1);
      // An unavailable picture delays only this post, not the others.
      if (ended.fault === 'picture' && (await deferItem(db, item))) return 'continue';
      return ended;
    }
    if (ended.kind === 'refused') {
      await recordItem(db, item, { outcome: 'refused', code: ended.code, reason: ended.reason }, now());
    }
    return 'continue';
  } catch (error) {
    if (!(error instanceof RefusedCommandError)) throw error;
    if (error.code === 'STORAGE_FULL') {
      await recordItem(db, item, { outcome: 'refused', code: 'storage_full', reason: error.message }, now());
      return 'continue';
    }
    await endImport(db, { importId: row.id, state: 'failed', reason: error.message, now: now() });
    return 'ended';
  }
}

async function tryItem(step: ImportStep, row: ImportRow, item: OpenItem): Promise<SourceResult<'recorded'>> {
  const listed = item.post;
  if (listed === null) return LOST;
  if (item.attempts >= MAX_ATTEMPTS) return GIVEN_UP;
  await countAttempt(step.deps.db, item, 1);
  const known = await recordIfKnown(step, row, { item, post: listed });
  if (known.kind !== 'done') return known;
  if (known.value) return { kind: 'done', value: 'recorded' };
  const fetched = item.hasBody ? ({ kind: 'done', value: listed } as const) : await fetchBody(step, row, listed);
  if (fetched.kind !== 'done') return fetched;
  const post = fetched.value;
  if (post.body.format === 'medium' && post.body.isExcerpt) return MEMBERS_ONLY;
  return store(step, row, { item, post });
}

const NOT_RECORDED = { kind: 'done', value: false } as const;

/** Returns true if the post was imported before; then copies only its missing pictures. */
async function recordIfKnown(
  step: ImportStep,
  row: ImportRow,
  { item, post }: FetchedItem,
): Promise<SourceResult<boolean>> {
  const { db, now } = step.deps;
  const known = await findImportedArticle(db, buildSourceKey(row, post));
  if (known === null) return NOT_RECORDED;
  const refreshed = await copyLater(step, row, { item, known });
  if (refreshed.kind !== 'done') return refreshed;
  const copy = findSourceCopy(row, post, item.account ?? (await step.findAccount()));
  const listed = { item, ...buildSourceKey(row, post), copy, dryRun: row.dryRun, now: now() };
  return { kind: 'done', value: await recordImported(db, { ...listed, images: refreshed.value }) };
}

async function fetchBody(
  { pace, context }: ImportStep,
  row: ImportRow,
  post: SourcePost,
): Promise<SourceResult<SourcePost>> {
  const source = SOURCES[row.source];
  if (!source.fetchBody) return LOST;
  await pace.wait(row.place.baseUrl, source.intervalMs);
  return source.fetchBody(row.place, post, context);
}

async function store(step: ImportStep, row: ImportRow, { item, post }: FetchedItem): Promise<SourceResult<'recorded'>> {
  const { deps, findAccount } = step;
  const { db, now, baseUrl, storageLimit } = deps;
  const article = await convertItem(step, row, { item, post });
  if (article.kind !== 'done') return article;
  const { draft, rendered, document, slug, warnings } = article.value;
  const copy = findSourceCopy(row, post, item.account ?? (await findAccount()));
  const toDate = (time: string | null) => (time === null ? null : new Date(time));
  await storePost(db, {
    item,
    ...buildSourceKey(row, post),
    ...{ draft, rendered, document, slug, warnings, copy },
    publishedAt: toDate(post.publishedAt),
    updatedAt: toDate(post.updatedAt),
    dryRun: row.dryRun,
    baseUrl,
    storageLimit,
    now: now(),
  });
  return { kind: 'done', value: 'recorded' };
}
