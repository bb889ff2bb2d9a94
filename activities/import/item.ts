/** One post of an import: fetched where its list has no text, converted, stored. */
import type { SourcePost } from '../../article/import/source-post.ts';
import type { ConvertedArticle } from '../../sources/conversion/worker.ts';
import { SOURCES } from '../../sources/registry.ts';
import type { Reading } from '../../sources/types.ts';
import { RefusedCommandError } from '../../store/commands/refused-command.ts';
import { findKnown } from '../../store/imports/find-known.ts';
import { countAttempt, endImport, type ImportRow, type OpenItem } from '../../store/imports/progress.ts';
import { type ItemRecord, recordItem } from '../../store/imports/record-item.ts';
import { storePost } from '../../store/imports/store-post.ts';
import { copyImages } from './copy-images.ts';
import { findSourceCopy } from './source-copy.ts';
import type { Advance, ImportStep } from './step.ts';

/** Then the others have their turn; a further import tries it again. */
const MOST_ATTEMPTS = 8;
const BUSY_MS = 5_000;
/** Then a picture that is away keeps its address. */
const IMAGE_ATTEMPTS = 3;

export async function importItem(step: ImportStep, row: ImportRow, item: OpenItem): Promise<Advance> {
  const { db, now } = step.deps;
  const refuse = async (record: Omit<ItemRecord, 'outcome'>): Promise<'on'> => {
    await recordItem(db, item, { outcome: 'refused', ...record }, now());
    return 'on';
  };
  const listed = item.post;
  if (listed === null) return refuse({ code: 'lost', reason: 'What the source listed is gone. Import again.' });
  if (item.attempts >= MOST_ATTEMPTS) {
    return refuse({
      code: 'given_up',
      reason: 'It could not be fetched or read after several attempts. Import again later.',
    });
  }
  await countAttempt(db, item);
  const fetched = item.hasBody ? ({ kind: 'done', value: listed } as const) : await fetchBody(step, row, listed);
  if (fetched.kind === 'later') return fetched;
  if (fetched.kind === 'refused') return refuse({ code: fetched.code, reason: fetched.reason });
  const post = fetched.value;
  if (post.body.format === 'medium' && post.body.isExcerpt) {
    const reason =
      'Medium’s feed has only the beginning of this story: it is for members. Publish its whole text from a file.';
    return refuse({ code: 'members_only', reason });
  }
  return store(step, row, { item, post, refuse });
}

async function fetchBody(
  { pace, context }: ImportStep,
  row: ImportRow,
  post: SourcePost,
): Promise<Reading<SourcePost>> {
  const source = SOURCES[row.source];
  if (!source.fetchBody) return { kind: 'done', value: post };
  await pace.wait(row.place.baseUrl, source.intervalMs);
  return source.fetchBody(row.place, post, context);
}

interface Fetched {
  item: OpenItem;
  post: SourcePost;
  refuse: (record: Omit<ItemRecord, 'outcome'>) => Promise<'on'>;
}

async function store(step: ImportStep, row: ImportRow, { item, post, refuse }: Fetched): Promise<Advance> {
  const { deps, whose } = step;
  const { db, now, baseUrl, storageLimit } = deps;
  const article = await convertWithImages(step, row, { item, post });
  if (article.kind === 'later') return article;
  if (article.kind === 'refused') return refuse({ code: article.code, reason: article.reason });
  const { draft, rendered, document, slug, warnings } = article.value;
  const copy = findSourceCopy(row, post, item.account ?? (await whose()));
  const toDate = (time: string | null) => (time === null ? null : new Date(time));
  try {
    await storePost(db, {
      item,
      ...identify(row, post),
      ...{ draft, rendered, document, slug, warnings, copy },
      publishedAt: toDate(post.publishedAt),
      updatedAt: toDate(post.updatedAt),
      dryRun: row.dryRun,
      baseUrl,
      storageLimit,
      now: now(),
    });
    return 'on';
  } catch (error) {
    if (!(error instanceof RefusedCommandError)) throw error;
    if (error.code === 'STORAGE_FULL') return refuse({ code: 'storage_full', reason: error.message });
    await endImport(db, { importId: row.id, state: 'failed', reason: error.message, now: now() });
    return 'gone';
  }
}

type Converted = Extract<ConvertedArticle, { ok: true }>;

/** With the addresses of its copied pictures, where its author wants that and the post is new here. */
async function convertWithImages(
  step: ImportStep,
  row: ImportRow,
  { item, post }: Pick<Fetched, 'item' | 'post'>,
): Promise<Reading<Converted>> {
  const { db, baseUrl } = step.deps;
  if (row.images === 'keep' || row.dryRun) return convert(step, row, post, null);
  const found = await convert(step, row, post, new Map());
  if (found.kind !== 'done' || found.value.images.length === 0) return found;
  if (await findKnown(db, { ...identify(row, post), draft: found.value.draft, baseUrl })) return found;
  const isLastTry = item.attempts + 1 >= IMAGE_ATTEMPTS;
  const copied = await copyImages(step, { authorId: row.userId, addresses: found.value.images, isLastTry });
  if (copied.kind !== 'done') return copied;
  const { copies, warnings } = copied.value;
  const converted = copies.size === 0 ? found : await convert(step, row, post, copies);
  if (converted.kind !== 'done') return converted;
  return { kind: 'done', value: { ...converted.value, warnings: [...converted.value.warnings, ...warnings] } };
}

async function convert(
  { deps: { now, baseUrl, conversions } }: ImportStep,
  { userId, asDraft }: ImportRow,
  post: SourcePost,
  copies: ReadonlyMap<string, string> | null,
): Promise<Reading<Converted>> {
  const task = { post, isDraft: asDraft, copies, siteOrigin: baseUrl, now: now() };
  const article = await conversions.convert(userId, task);
  if (article === 'busy')
    return { kind: 'later', reason: 'Too many documents are being read here.', retryAfterMs: BUSY_MS };
  return article.ok
    ? { kind: 'done', value: article }
    : { kind: 'refused', code: article.code, reason: article.reason };
}

function identify({ userId, source, place }: ImportRow, { remoteId }: SourcePost) {
  return { authorId: userId, source, origin: place.origin, remoteId };
}
