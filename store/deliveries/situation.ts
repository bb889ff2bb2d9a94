/** Loads the input of a plan in one round trip: the delivery, its article and its connection. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { buildArticleUrl } from '../../article/identity/slug.ts';
import type { DeliverableArticle, DestinationKey } from '../../article/types.ts';
import type { InFlight, Situation, UnknownAttempt } from '../../delivery/types.ts';
import { mayStillArrive } from '../attempts/unanswered.ts';
import { RATE_BUDGET, type RateBudget } from '../connections/rate-budget.ts';
import type { Database } from '../db/database.ts';
import { prepareOnce, type RowOf } from '../db/prepared.ts';
import { runTogether } from '../db/trips.ts';
import type { LookUpKeys } from '../db/types.ts';

export interface DeliveryKey {
  articleId: string;
  destination: DestinationKey;
}

export interface LoadedDelivery {
  situation: Situation;
  article: DeliverableArticle;
  authorId: string;
  revision: number;
  /** For looking up the post of an open attempt. */
  lookUp: LookUpKeys;
  /** The platform's time of our last change; null if unknown or after an overwrite command. */
  unchangedSince: string | null;
  /** When the current copy was withdrawn; null if it is live. */
  withdrawnAt: Date | null;
  /** The budget of the connected account; meaningless without a connection. */
  budget: RateBudget;
}

/** Creates the row if it is missing. Null if the article was deleted. */
export async function loadDelivery(db: Database, key: DeliveryKey, baseUrl: string): Promise<LoadedDelivery | null> {
  const { articleId, destination } = key;
  const [[deliverable], [row]] = await runTogether(db, selectDeliverable(db, { articleId }), selectDelivery(db, key));
  if (!deliverable || !row) return null;
  if (row.deliveryId === null) {
    // A publish creates the row, so nothing is due without a row.
    const insert = db.insertInto('deliveries').values({ articleId, destination, handledDispatch: row.dispatch });
    await insert.onConflict((conflict) => conflict.columns(['articleId', 'destination']).doNothing()).execute();
    return loadDelivery(db, key, baseUrl);
  }
  // Published between the two reads: the older text must not be sent as the newer revision.
  if (row.revision !== deliverable.revision) return loadDelivery(db, key, baseUrl);
  const article = readDeliverable(deliverable, baseUrl);
  const { canonicalUrl, slug, title } = article;
  const { deliveryId } = row;
  return {
    situation: buildSituation({ ...row, deliveryId }, article),
    article,
    authorId: row.authorId,
    revision: row.revision,
    lookUp: row.openLookUp ?? { canonicalUrl, slug, title },
    // After an update of unknown outcome, our own request may have changed the post's time.
    unchangedSince: row.overwrite || row.inFlight?.action === 'update' ? null : row.remoteChangedAt,
    withdrawnAt: row.withdrawnAt,
    budget: row.budget,
  };
}

type Row = RowOf<ReturnType<typeof selectDelivery>> & { deliveryId: string };

function buildSituation(row: Row, article: DeliverableArticle): Situation {
  const { connectionId, accountId, connectedPlatform: platform, connectionStatus } = row;
  return {
    article: {
      status: row.status,
      dispatch: row.dispatch,
      isSelected: row.isSelected,
      isImported: row.imported,
      isEligible: row.hasBody,
      isSuspended: row.isSuspended,
      hash: hashDeliverable(article),
      ageMs: row.ageMs,
    },
    connection:
      connectionId === null || accountId === null || platform === null || connectionStatus === null
        ? null
        : { id: connectionId, accountId, platform, status: connectionStatus, version: row.connectionVersion ?? 0 },
    delivery: {
      id: row.deliveryId,
      version: row.version ?? 0,
      presence: row.presence,
      hasLiveCopy: row.hasLiveCopy,
      // After a deletion, the next publish creates a new post.
      remoteId: row.presence === 'deleted' ? null : row.remoteId,
      remoteUrl: row.remoteUrl,
      contentHash: row.contentHash,
      handledDispatch: row.handledDispatch ?? 0,
      skippedDispatch: row.skippedDispatch ?? 0,
      withdrawRequested: row.withdrawRequested ?? false,
      failedWith: row.lastOutcome === 'failed' ? row.lastCode : null,
      overwrite: row.overwrite ?? false,
      inFlight: row.inFlight,
      unanswered: row.unanswered,
      wasAttempted: row.wasAttempted,
      wasRestored: row.wasRestored,
    },
  };
}

const SENT_MS_AGO = sql`extract(epoch from clock_timestamp() - coalesce(t.repeated_at, t.started_at)) * 1000`;

const openAttempt = sql<InFlight | null>`(select jsonb_build_object('id', t.id, 'action', t.action, 'dispatch', t.dispatch,
  'sentMsAgo', ${SENT_MS_AGO}, 'answeredMsAgo', extract(epoch from clock_timestamp() - t.answered_at) * 1000, 'answer', t.answer, 'unknownDispatch', t.unknown_dispatch, 'canRepeat', t.payload is not null and t.repeated_at is null)
  from delivery_attempts t where t.id = s.open_id)`;

const openLookUp = sql<LookUpKeys | null>`(select t.look_up from delivery_attempts t where t.id = s.open_id)`;

const unanswered = sql<
  UnknownAttempt[]
>`(select coalesce(jsonb_agg(jsonb_build_object('action', t.action, 'hash', t.content_hash,
  'sentMsAgo', ${SENT_MS_AGO}) order by t.started_at desc), '[]') from delivery_attempts t
  where t.delivery_id = s.delivery_id and t.account_id = s.account_id and ${mayStillArrive})`;

const wasAttempted = sql<boolean>`exists (select from delivery_attempts t
  where t.delivery_id = s.delivery_id and t.action = 'create' and t.was_sent)`;

const selectDelivery = prepareOnce('load_delivery', (db, { articleId, destination }: DeliveryKey) =>
  db
    .selectFrom('deliveryStates as s')
    .innerJoin('articles', 'articles.id', 's.articleId')
    .innerJoin('users', 'users.id', 's.authorId')
    .leftJoin('deliveries', 'deliveries.id', 's.deliveryId')
    .leftJoin('connections', 'connections.id', 's.connectionId')
    .select(['s.deliveryId', 's.version', 's.presence', 's.remoteId', 's.remoteUrl', 's.contentHash'])
    .select(['s.handledDispatch', 's.skippedDispatch', 's.withdrawRequested', 's.overwrite', 's.remoteChangedAt'])
    .select('s.withdrawnAt')
    .select(['s.lastOutcome', 's.lastCode', 's.authorId', 's.status', 's.dispatch', 's.revision', 's.imported'])
    .select(['s.isSelected', 's.connectionId', 's.connectionVersion', 's.connectionStatus', 's.accountId'])
    .select(['s.hasLiveCopy', 's.connectedPlatform', openAttempt.as('inFlight'), openLookUp.as('openLookUp')])
    .select([unanswered.as('unanswered'), wasAttempted.as('wasAttempted')])
    .select(sql<boolean>`exists (select from restores)`.as('wasRestored'))
    .select(sql<boolean>`users.suspended_at is not null`.as('isSuspended'))
    .select(RATE_BUDGET.as('budget'))
    .select('articles.hasBody')
    .select(sql<number>`(extract(epoch from clock_timestamp() - articles.created_at) * 1000)::float8`.as('ageMs'))
    .where('s.articleId', '=', articleId)
    .where('s.destination', '=', destination)
    .compile(),
);

/** Hashes all content that a destination may show; excludes status and other destinations' flags. */
function hashDeliverable({ id: _, ...shown }: DeliverableArticle): string {
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex');
}

export function readDeliverable(
  { givenCanonicalUrl, revision: _, ...article }: RowOf<ReturnType<typeof selectDeliverable>>,
  baseUrl: string,
): DeliverableArticle {
  return { ...article, canonicalUrl: givenCanonicalUrl ?? buildArticleUrl(baseUrl, article.slug) };
}

/** Read together with the delivery's row. Equal `revision`s prove that both are of one moment. */
export const selectDeliverable = prepareOnce('load_deliverable', (db, { articleId }: { articleId: string }) =>
  db
    .selectFrom('articles')
    .select(['id', 'slug', 'title', 'subtitle', 'tags', 'givenCanonicalUrl', 'coverImage', 'generateToc'])
    .select(['commentsEnabled', 'body', 'revision'])
    .select(sql<string>`coalesce(derived ->> 'excerpt', '')`.as('excerpt'))
    .where('id', '=', articleId)
    .compile(),
);
