/** Loads what decides the next step of a delivery: the row, its article and its connection, read at once. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { DeliverableArticle, DestinationKey } from '../../article/types.ts';
import type { InFlight, Situation, Unanswered } from '../../delivery/types.ts';
import { readDeliverable, selectDeliverable } from '../articles/load-deliverable.ts';
import { RATE_BUDGET, type RateBudget } from '../connections/rate-budget.ts';
import type { Database } from '../db/database.ts';
import type { LookUpKeys } from '../db/json-columns.ts';
import { prepareOnce, type RowOf, runPrepared } from '../db/prepared.ts';
import { runTogether } from '../db/trips.ts';
import { mayStillArrive } from './unanswered.ts';

export interface DeliveryKey {
  articleId: string;
  destination: DestinationKey;
}

export interface LoadedDelivery {
  situation: Situation;
  article: DeliverableArticle;
  authorId: string;
  revision: number;
  /** For finding what an attempt may have made. */
  lookUp: LookUpKeys;
  /** The platform's time of our last change; null where it is not known, or where the author ordered to overwrite. */
  unchangedSince: string | null;
  /** Of the account that is connected; without meaning where none is. */
  budget: RateBudget;
  /** An attempt whose outcome is open was made at an account that is not connected any more. */
  hasLeftAttempt: boolean;
}

/** Makes the row where there is none. Null where the article is gone. */
export async function loadDelivery(
  db: Database,
  { articleId, destination }: DeliveryKey,
  baseUrl: string,
): Promise<LoadedDelivery | null> {
  const key = { articleId, destination };
  const [[deliverable], [present]] = await runTogether(db, selectDeliverable(db, { articleId }), select(db, key));
  if (!deliverable) return null;
  const article = readDeliverable(deliverable, baseUrl);
  const row = present ?? (await insertRow(db, key));
  if (!row) return null;
  // Published once more between the two: the older text must not pass for the newer revision.
  if (row.revision !== deliverable.revision) return loadDelivery(db, key, baseUrl);
  const { canonicalUrl, slug, title } = article;
  return {
    situation: buildSituation(row, article, key.destination),
    article,
    authorId: row.authorId,
    revision: row.revision,
    lookUp: row.openLookUp ?? { canonicalUrl, slug, title },
    // After an update of unknown outcome the post's time may be of our own making.
    unchangedSince: row.overwrite || row.inFlight?.action === 'update' ? null : row.remoteChangedAt,
    budget: row.budget,
    hasLeftAttempt: row.hasLeftAttempt,
  };
}

type Row = RowOf<ReturnType<typeof select>>;

function buildSituation(row: Row, article: DeliverableArticle, destination: DestinationKey): Situation {
  return {
    article: {
      status: row.status,
      dispatch: row.dispatch,
      wanted: row.syndicate && row.crossPost[destination],
      imported: row.imported,
      eligible: !row.imported && row.suspendedAt === null && article.body.trim() !== '',
      hash: hashDeliverable(article),
      ageMs: row.ageMs,
    },
    connection:
      row.connectionId === null
        ? null
        : {
            id: row.connectionId,
            accountId: row.connectedAccountId ?? '',
            platform: row.platform ?? '',
            status: row.connectionStatus ?? 'active',
            credentialVersion: row.credentialVersion ?? 0,
          },
    delivery: {
      id: row.deliveryId,
      state: row.state,
      remoteId: row.remoteId,
      remoteUrl: row.remoteUrl,
      deliveredHash: row.deliveredHash,
      withdrawnAt: row.withdrawnAt,
      handledDispatch: row.handledDispatch,
      skippedDispatch: row.skippedDispatch,
      withdrawRequested: row.withdrawRequested,
      cannotWithdraw: row.state === 'failed' && row.lastErrorCode === 'cannot_withdraw',
      overwrite: row.overwrite,
      attempt: row.attempts,
      inFlight: row.inFlight,
      unanswered: row.unanswered,
      wasAttempted: row.wasAttempted,
      wasRestored: row.wasRestored,
    },
  };
}

/** Of the account that is connected, or was connected last: an attempt at another one is another one's. */
const AT_ACCOUNT = sql`t.delivery_id = deliveries.id and t.account_id = coalesce(connections.account_id, deliveries.account_id)`;

const OPEN = sql`from delivery_attempts t where ${AT_ACCOUNT} and t.ended_at is null`;

const FOR_MS = sql`extract(epoch from clock_timestamp() - coalesce(t.repeated_at, t.started_at)) * 1000`;

const openAttempt = sql<InFlight | null>`(select jsonb_build_object('number', t.number, 'action', t.action, 'dispatch', t.dispatch,
  'forMs', ${FOR_MS}, 'answeredForMs', extract(epoch from clock_timestamp() - t.answered_at) * 1000, 'answer', t.answer, 'canRepeat', t.payload is not null and t.repeated_at is null) ${OPEN})`;

const openLookUp = sql<LookUpKeys | null>`(select t.look_up ${OPEN})`;

const unanswered = sql<
  Unanswered[]
>`(select coalesce(jsonb_agg(jsonb_build_object('action', t.action, 'hash', t.content_hash,
  'forMs', ${FOR_MS}) order by t.number desc), '[]') from delivery_attempts t
  where ${AT_ACCOUNT} and ${mayStillArrive})`;

const wasAttempted = sql<boolean>`exists (select from delivery_attempts t
  where t.delivery_id = deliveries.id and t.action = 'create')`;

const wasRestored = sql<boolean>`exists (select from restores)`;

const leftAttempt = sql<boolean>`exists (select from delivery_attempts t where t.delivery_id = deliveries.id
  and t.account_id <> deliveries.account_id and t.action = 'create' and t.ended_at is null)`;

const select = prepareOnce('load_delivery', (db, { articleId, destination }: DeliveryKey) =>
  db
    .selectFrom('deliveries')
    .innerJoin('articles', 'articles.id', 'deliveries.articleId')
    .innerJoin('users', 'users.id', 'articles.authorId')
    .leftJoin('connections', (join) =>
      join
        .onRef('connections.userId', '=', 'articles.authorId')
        .onRef('connections.destination', '=', 'deliveries.destination'),
    )
    .select(['deliveries.id as deliveryId', 'deliveries.state', 'deliveries.remoteId', 'deliveries.remoteUrl'])
    .select(['deliveries.deliveredHash', 'deliveries.lastErrorCode'])
    .select(['deliveries.withdrawnAt', 'deliveries.handledDispatch'])
    .select(['deliveries.skippedDispatch', 'deliveries.withdrawRequested', 'deliveries.overwrite'])
    .select('deliveries.remoteChangedAt')
    .select([openAttempt.as('inFlight'), openLookUp.as('openLookUp')])
    .select([unanswered.as('unanswered'), wasAttempted.as('wasAttempted'), wasRestored.as('wasRestored')])
    .select(leftAttempt.as('hasLeftAttempt'))
    .select(RATE_BUDGET.as('budget'))
    .select(sql<number>`(extract(epoch from clock_timestamp() - articles.created_at) * 1000)::float8`.as('ageMs'))
    .select(['deliveries.attempts', 'articles.authorId', 'articles.status', 'articles.dispatch'])
    .select(['articles.revision', 'articles.syndicate', 'articles.imported', 'articles.crossPost', 'users.suspendedAt'])
    .select(['connections.id as connectionId', 'connections.platform', 'connections.status as connectionStatus'])
    .select(['connections.generation as credentialVersion', 'connections.accountId as connectedAccountId'])
    .where('deliveries.articleId', '=', articleId)
    .where('deliveries.destination', '=', destination)
    .compile(),
);

async function insertRow(db: Database, key: DeliveryKey) {
  const { articleId, destination } = key;
  await db
    .insertInto('deliveries')
    .values({ articleId, destination })
    .onConflict((conflict) => conflict.columns(['articleId', 'destination']).doNothing())
    .execute();
  return (await runPrepared(db, select(db, key))).rows[0];
}

/** Of everything that a destination could show; a change of state or of another destination's flag changes nothing here. */
function hashDeliverable({ id: _, ...shown }: DeliverableArticle): string {
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex');
}
