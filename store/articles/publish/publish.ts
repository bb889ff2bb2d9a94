/**
 * The publish use case: one transaction that finds or makes the article, gives it its slug and state, and puts it into
 * the outbox. Publishes of one author wait for the lock on the author's row, so fifty identical ones leave one article.
 */
import type { Transaction } from 'kysely';
import { buildSlug } from '../../../article/identity/slug.ts';
import type { ArticleDraft, ArticleStatus, Notice } from '../../../article/types.ts';
import { createAccountGoneError, createSuspendedError } from '../../commands/refused-command.ts';
import type { Database } from '../../db/database.ts';
import type { StoredResponse } from '../../db/json-columns.ts';
import type { DB } from '../../db/types.ts';
import { type DestinationFacts, readDestinationFacts } from '../../deliveries/destination-facts.ts';
import { needsActor } from '../../outbox/needs-actor.ts';
import { placeInSeries } from '../../series/place-article.ts';
import { noteSchedule } from '../schedules/schedule.ts';
import type { StateColumns } from './article-columns.ts';
import { type CandidateRow, findExisting } from './find-existing.ts';
import { type IdempotencyKey, keepResponse } from './idempotency.ts';
import { type ArticleInput, createArticle, isSlugRace, updateArticle } from './save-article.ts';
import { requireRoom } from './storage.ts';

export interface PublishRequest extends ArticleInput {
  /** How many bytes of documents an author may keep. */
  storageLimit: number;
  /** Where the caller holds a claim: its response is stored in the same transaction. */
  idempotency?: { key: IdempotencyKey; respond: (result: PublishResult) => StoredResponse } | undefined;
}

export interface PublishResult {
  action: 'created' | 'updated';
  article: {
    id: string;
    slug: string;
    status: ArticleStatus;
    scheduledAt: Date | null;
    scheduledZone: string | null;
    revision: number;
  };
  warnings: Notice[];
  destinations: DestinationFacts;
}

export async function publishArticle(db: Database, request: PublishRequest): Promise<PublishResult> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute((tx) => publishInTransaction(tx, request));
    } catch (error) {
      if (attempt < 4 && isSlugRace(error)) continue;
      throw error;
    }
  }
}

async function publishInTransaction(tx: Transaction<DB>, request: PublishRequest): Promise<PublishResult> {
  const { draft, now } = request;
  const author = await tx
    .selectFrom('users')
    .select(['suspendedAt', 'deletedAt', 'storedBytes'])
    .where('id', '=', request.authorId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!author || author.deletedAt !== null) throw createAccountGoneError();
  if (author.suspendedAt !== null) throw createSuspendedError();

  const wantedSlug = draft.slug ?? buildSlug(draft.title);
  const { existing, redirected, connected } = await findExisting(tx, request, wantedSlug);
  const oldBytes = existing?.sourceBytes ?? 0;
  const newBytes = Buffer.byteLength(request.source);
  requireRoom({ usedBytes: author.storedBytes, oldBytes, newBytes }, request.storageLimit);
  const state = decideState(draft, existing, now);
  const warnings: Notice[] = [...state.warnings];
  const { syndicate } = request;
  const { crossPost } = draft;
  const hasDeliveries = existing?.hasDeliveries === true;
  const statusBefore = existing?.status ?? null;
  const wakesActor = needsActor({ status: state.status, statusBefore, syndicate, crossPost, connected, hasDeliveries });
  const change = { state, wakesActor, moreBytes: newBytes - oldBytes };
  const article = existing
    ? await updateArticle(tx, existing, keepSlug(request, existing), change, warnings)
    : await createArticle(tx, request, change, { slug: wantedSlug, redirected }, warnings);

  const { scheduledAt, scheduledZone, seriesId } = draft;
  if (seriesId !== null) {
    warnings.push(...(await placeInSeries(tx, { authorId: request.authorId, articleId: article.id, seriesId })));
  }
  // By the document's own reading: the row may have been moved by newer rules of the zone than this process has.
  if (article.status === 'SCHEDULED' && scheduledAt) {
    await noteSchedule(tx, article.id, { at: scheduledAt, zone: scheduledZone });
  }
  const result: PublishResult = {
    action: existing ? 'updated' : 'created',
    article: { ...article, scheduledZone: article.status === 'SCHEDULED' ? scheduledZone : null },
    warnings,
    destinations: await readDestinationFacts(tx, request, { id: article.id, connected, hasDeliveries }),
  };
  if (request.idempotency) await keepResponse(tx, request.idempotency.key, request.idempotency.respond(result));
  return result;
}

/** An article whose slug was read by earlier rules keeps its address as long as its author writes the slug the same way. */
function keepSlug(request: PublishRequest, existing: CandidateRow): PublishRequest {
  if (!existing.isWrittenAlike) return request;
  return { ...request, draft: { ...request.draft, slug: existing.givenSlug } };
}

function decideState(
  draft: ArticleDraft,
  existing: CandidateRow | null,
  now: Date,
): StateColumns & { warnings: Notice[] } {
  const publishedAt = existing?.publishedAt ?? null;
  if (draft.status === 'SCHEDULED' && existing?.status === 'PUBLISHED') {
    const message = 'The article is public already and stays public; the future scheduled_at was not applied.';
    const warning = { code: 'already_public', path: 'scheduled_at', message };
    return { status: 'PUBLISHED', scheduledAt: null, publishedAt, warnings: [warning] };
  }
  return {
    status: draft.status,
    scheduledAt: draft.status === 'SCHEDULED' ? draft.scheduledAt : null,
    publishedAt: draft.status === 'PUBLISHED' ? (publishedAt ?? now) : publishedAt,
    warnings: [],
  };
}
