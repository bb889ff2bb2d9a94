/** All that decides the next step of a delivery, read at once: the row, its article, its connection. */
import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { DeliverableArticle, DestinationKey } from '../../article/types.ts';
import { type DeliveryStep, decideStep } from '../../delivery/next-step.ts';
import { loadDeliverable } from '../articles/load-deliverable.ts';
import type { LookUpKeys } from '../db/json-columns.ts';
import type { DB } from '../db/types.ts';

export interface DeliveryKey {
  articleId: string;
  destination: DestinationKey;
}

export interface DeliveryPlan {
  deliveryId: string;
  step: DeliveryStep;
  article: DeliverableArticle;
  authorId: string;
  revision: number;
  dispatch: number;
  hash: string;
  remoteId: string | null;
  remoteUrl: string | null;
  /** Counts the attempts: the fence that keeps a late record of an earlier one from being taken for this one's. */
  attempt: number;
  /** For finding what an attempt may have made. */
  lookUp: LookUpKeys;
  /** The platform's time of our last change; null where it is not known, or where the author said to overwrite. */
  unchangedSince: string | null;
  /** The attempt to create was sent once more already, or its payload was not kept. */
  canRepeat: boolean;
  /** The connection of this destination, whatever the step; null where there is none. */
  connection: { id: string; platform: string; generation: number; blockedForMs: number } | null;
}

/** Reads all that decides the next step; makes the row where there is none. Null where the article is gone. */
export async function planDelivery(db: Kysely<DB>, key: DeliveryKey, baseUrl: string): Promise<DeliveryPlan | null> {
  const article = await loadDeliverable(db, key.articleId, baseUrl);
  if (!article) return null;
  const row = (await selectSituation(db, key)) ?? (await insertRow(db, key));
  if (!row) return null;
  const hash = hashDeliverable(article);
  const connection =
    row.connectionId === null
      ? null
      : {
          id: row.connectionId,
          platform: row.platform ?? '',
          generation: row.generation ?? 0,
          blockedForMs: Math.max(0, row.blockedInMs ?? 0),
        };
  const step = decideStep({
    article: {
      status: row.status,
      dispatch: row.dispatch,
      wanted: row.syndicate && row.crossPost[key.destination],
      eligible: !row.imported && row.suspendedAt === null && article.body.trim() !== '',
      hash,
    },
    connection: connection && { id: connection.id, status: row.connectionStatus ?? 'active' },
    delivery: { ...row, inFlightForMs: row.inFlightInMs === null ? null : -row.inFlightInMs },
  });
  const { deliveryId, authorId, revision, dispatch, remoteId, remoteUrl } = row;
  // After an update of unknown outcome the post's time may be of our own making.
  const unchangedSince = row.overwrite || row.inFlightAction === 'update' ? null : row.remoteChangedAt;
  const canRepeat = row.hasPayload && !row.inFlightRepeated;
  const { canonicalUrl, slug, title } = article;
  const lookUp = row.inFlightLookUp ?? { canonicalUrl, slug, title };
  const plan = {
    deliveryId,
    step,
    article,
    authorId,
    revision,
    dispatch,
    hash,
    remoteId,
    remoteUrl,
    lookUp,
    connection,
  };
  return { ...plan, attempt: row.attempts, unchangedSince, canRepeat };
}

function selectSituation(db: Kysely<DB>, key: DeliveryKey) {
  return db
    .selectFrom('deliveries')
    .innerJoin('articles', 'articles.id', 'deliveries.articleId')
    .innerJoin('users', 'users.id', 'articles.authorId')
    .leftJoin('connections', (join) =>
      join
        .onRef('connections.userId', '=', 'articles.authorId')
        .onRef('connections.destination', '=', 'deliveries.destination'),
    )
    .select(['deliveries.id as deliveryId', 'deliveries.state', 'deliveries.remoteId', 'deliveries.remoteUrl'])
    .select('deliveries.deliveredHash')
    .select(['deliveries.withdrawnAt', 'deliveries.handledDispatch', 'deliveries.inFlightAction'])
    .select(['deliveries.skippedDispatch', 'deliveries.withdrawRequested', 'deliveries.overwrite'])
    .select(['deliveries.remoteChangedAt', 'deliveries.inFlightRepeated'])
    .select(sql<boolean>`deliveries.in_flight_payload is not null`.as('hasPayload'))
    .select(millisecondsUntil('deliveries.in_flight_at').as('inFlightInMs'))
    .select(millisecondsUntil('connections.blocked_until').as('blockedInMs'))
    .select([
      'deliveries.attempts',
      'deliveries.inFlightLookUp',
      'articles.authorId',
      'articles.status',
      'articles.dispatch',
    ])
    .select(['articles.revision', 'articles.syndicate', 'articles.imported', 'articles.crossPost', 'users.suspendedAt'])
    .select(['connections.id as connectionId', 'connections.platform', 'connections.status as connectionStatus'])
    .select('connections.generation')
    .where('deliveries.articleId', '=', key.articleId)
    .where('deliveries.destination', '=', key.destination)
    .executeTakeFirst();
}

/** By the database's clock; negative in the past, null where there is no time. */
function millisecondsUntil(column: string) {
  return sql<number | null>`(extract(epoch from ${sql.ref(column)} - clock_timestamp()) * 1000)::float8`;
}

async function insertRow(db: Kysely<DB>, key: DeliveryKey) {
  await db
    .insertInto('deliveries')
    .values(key)
    .onConflict((conflict) => conflict.columns(['articleId', 'destination']).doNothing())
    .execute();
  return selectSituation(db, key);
}

/** Of everything that a destination could show; a change of state or of another destination's flag changes nothing here. */
function hashDeliverable({ id: _, ...shown }: DeliverableArticle): string {
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex');
}
