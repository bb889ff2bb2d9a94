/**
 * Publishes a document in one transaction: article, slug, state, outbox. Locks the author's row, so
 * that identical publishes create one article. Round trips: begin, lock and searches; all writes
 * with the commit.
 */
import { randomUUID } from 'node:crypto';
import { buildArticleKey } from '../../../article/identity/canonical-key.ts';
import { buildSlug, isReservedSlug } from '../../../article/identity/slug.ts';
import type { ArticleDraft, ArticleStatus, Notice } from '../../../article/types.ts';
import { createAccountDeletedError, createSuspendedError } from '../../commands/refused-command.ts';
import type { Database } from '../../db/database.ts';
import { prepareOnce } from '../../db/prepared.ts';
import { type TripTransaction, transactInTrips } from '../../db/trips.ts';
import type { StoredResponse } from '../../db/types.ts';
import { type DestinationFacts, readDestinationFacts } from '../../deliveries/destination-facts.ts';
import { chooseWorkflows } from '../../outbox/enqueue.ts';
import { placeInSeries } from '../../series/series.ts';
import { buildClashQuery, buildClashWarnings, type CanonicalClash } from '../canonical-clashes.ts';
import { recordSchedule } from '../schedules/schedule.ts';
import type { StateColumns } from './article-columns.ts';
import { type ExpectedArticle, requireExpected } from './expected-article.ts';
import { buildSearch, type CandidateRow, chooseExisting, type FoundExisting } from './find-existing.ts';
import { ClaimLostError, type HeldClaim, type KeyedResponse, lockClaim, storeKeyedResponse } from './idempotency.ts';
import {
  type ArticleInput,
  createArticle,
  insertAndCommit,
  isSlugRace,
  type SavedArticle,
  updateArticle,
} from './save-article.ts';
import { requireStorage } from './storage.ts';

export interface PublishRequest extends ArticleInput {
  /** Bytes of documents that the author may store. */
  storageLimit: number;
  /** See `requireExpected`. */
  expected?: ExpectedArticle | null | undefined;
  /** Trace context of the request in W3C format. The workflow continues this trace. */
  traceparent?: string | null | undefined;
  /** Present if the caller holds a claim. The response is stored in the same transaction. */
  idempotency?: { claim: HeldClaim; respond: (result: PublishResult) => StoredResponse } | undefined;
}

export interface PublishResult {
  action: 'created' | 'updated';
  article: {
    id: string;
    slug: string;
    status: ArticleStatus;
    scheduledAt: Date | null;
    scheduledZone: string | null;
  };
  warnings: Notice[];
  destinations: DestinationFacts;
  /** Whether the article was put into the outbox. */
  signalsWorkflow: boolean;
}

export async function publishArticle(db: Database, request: PublishRequest): Promise<PublishResult> {
  const wantedSlug = request.draft.slug ?? buildSlug(request.draft.title);
  const { authorId, draft, baseUrl } = request;
  const canonicalKey = buildArticleKey({ ...draft, slug: wantedSlug }, baseUrl);
  // The search comes after the lock, so that it sees what the author's other publish has committed.
  const opening = [
    lockAuthor(db, { authorId }),
    buildSearch(db, request, wantedSlug),
    buildClashQuery(db, { authorId, canonicalKey }),
    ...selectClaim(db, request),
  ] as const;
  for (let attempt = 1; ; attempt++) {
    try {
      return await transactInTrips(db, opening, (transaction, [[author], found, clashes, held]) => {
        if (held?.length === 0) throw new ClaimLostError('another request holds the key');
        const foundClash = { canonicalKey, articles: clashes };
        const isFirstAttempt = attempt === 1;
        const context = { author, ...chooseExisting(found, request), wantedSlug, foundClash, isFirstAttempt };
        return publishInTransaction(transaction, request, context);
      });
    } catch (error) {
      if (attempt < 5 && isSlugRace(error)) continue;
      throw error;
    }
  }
}

/** Held until the transaction ends, so that publishes of one author run in sequence. */
const lockAuthor = prepareOnce('lock_author', (db, { authorId }: { authorId: string }) =>
  db
    .selectFrom('users')
    .select(['suspendedAt', 'deletedAt', 'storedBytes'])
    .where('id', '=', authorId)
    .forNoKeyUpdate()
    .compile(),
);

/** Empty if the request has no key. */
function selectClaim(db: Database, { idempotency }: PublishRequest) {
  return idempotency ? [lockClaim(db, idempotency.claim)] : [];
}

interface PublishContext extends FoundExisting {
  author: { suspendedAt: Date | null; deletedAt: Date | null; storedBytes: number } | undefined;
  /** The slug of a new article, if it is free. */
  wantedSlug: string;
  /** For the article at `wantedSlug`. */
  foundClash: CanonicalClash;
  isFirstAttempt: boolean;
}

async function publishInTransaction(
  transaction: TripTransaction,
  request: PublishRequest,
  { author, existing, redirected, connected, wantedSlug, foundClash, isFirstAttempt }: PublishContext,
): Promise<PublishResult> {
  const { draft, now, syndicate } = request;
  if (!author || author.deletedAt !== null) throw createAccountDeletedError();
  if (author.suspendedAt !== null) throw createSuspendedError();
  requireExpected(request.expected, existing);

  const oldBytes = existing?.sourceBytes ?? 0;
  const newBytes = Buffer.byteLength(request.source);
  requireStorage({ usedBytes: author.storedBytes, oldBytes, newBytes }, request.storageLimit);
  const state = decideState(draft, existing, now);
  const hasDeliveries = existing?.hasDeliveries === true;
  const statusBefore = existing?.status ?? null;
  const hasConnections = connected.length > 0;
  const wakes = chooseWorkflows({ status: state.status, statusBefore, syndicate, hasConnections, hasDeliveries });
  const change = { state, wakes, traceparent: request.traceparent ?? null, addedBytes: newBytes - oldBytes };
  const { tx, send, commitWith } = transaction;
  const buildSavedClashWarnings = async ({ slug, status }: SavedArticle): Promise<Notice[]> => {
    if (status === 'DRAFT') return [];
    const { authorId, baseUrl } = request;
    const canonicalKey = buildArticleKey({ ...draft, slug }, baseUrl);
    const clashes =
      canonicalKey === foundClash.canonicalKey
        ? foundClash.articles
        : (await send(buildClashQuery(tx, { authorId, canonicalKey })))[0];
    return buildClashWarnings(clashes, { slug, givenCanonicalUrl: draft.canonicalUrl }, baseUrl);
  };
  const buildResult = async (
    action: PublishResult['action'],
    article: SavedArticle,
    warnings: Notice[],
  ): Promise<PublishResult> => ({
    action,
    article: { ...article, scheduledZone: article.status === 'SCHEDULED' ? draft.scheduledZone : null },
    warnings: [...warnings, ...(await buildSavedClashWarnings(article))],
    destinations: await readDestinationFacts(tx, request, { id: article.id, connected, hasDeliveries }),
    signalsWorkflow: wakes !== 'none',
  });

  const isSlugUsable = !redirected && !isReservedSlug(wantedSlug);
  const fitsOneStatement = draft.seriesId === null && state.status !== 'SCHEDULED';
  if (existing === null && isFirstAttempt && isSlugUsable && fitsOneStatement) {
    // Most new articles take this path: one statement writes everything, sent with the commit.
    const article = { id: randomUUID(), slug: wantedSlug, status: state.status, scheduledAt: null };
    const result = await buildResult('created', article, [...state.warnings]);
    await insertAndCommit(transaction, request, change, article, buildKeyResponse(request, result));
    return result;
  }

  const warnings: Notice[] = [...state.warnings];
  const article = existing
    ? await updateArticle(tx, existing, request, change, warnings)
    : await createArticle(tx, request, change, wantedSlug, warnings);
  const { scheduledAt, scheduledZone, seriesId } = draft;
  if (seriesId !== null) {
    warnings.push(...(await placeInSeries(tx, { authorId: request.authorId, articleId: article.id, seriesId })));
  }
  // Uses the document's own time: newer zone rules than this process has may have moved the row's.
  if (article.status === 'SCHEDULED' && scheduledAt) {
    await recordSchedule(tx, article.id, { at: scheduledAt, zone: scheduledZone });
  }
  const result = await buildResult(existing ? 'updated' : 'created', article, warnings);
  const keyResponse = buildKeyResponse(request, result);
  if (keyResponse) await commitWith(storeKeyedResponse(tx, keyResponse).compile());
  return result;
}

function buildKeyResponse({ idempotency }: PublishRequest, result: PublishResult): KeyedResponse | null {
  return idempotency ? { ...idempotency.claim, response: idempotency.respond(result) } : null;
}

export function decideState(
  draft: ArticleDraft,
  existing: CandidateRow | null,
  now: Date,
): StateColumns & { warnings: Notice[] } {
  const publishedAt = existing?.publishedAt ?? null;
  if (draft.status === 'SCHEDULED' && existing?.status === 'PUBLISHED') {
    const message = 'The article is already public and stays public; the future scheduled_at was not applied.';
    const warning = { code: 'already_public', path: 'scheduled_at', message } as const;
    return { status: 'PUBLISHED', scheduledAt: null, publishedAt, warnings: [warning] };
  }
  return {
    status: draft.status,
    scheduledAt: draft.status === 'SCHEDULED' ? draft.scheduledAt : null,
    publishedAt: draft.status === 'PUBLISHED' ? (publishedAt ?? now) : publishedAt,
    warnings: [],
  };
}
