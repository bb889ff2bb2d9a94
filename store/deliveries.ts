/** The delivery ledger: one row per article and destination; what is out there, and what is being tried. */
import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { DeliverableArticle, DestinationKey } from '../article/types.ts';
import { loadDeliverable } from './articles.ts';
import type { Database } from './database.ts';
import { type DeliveryStep, decideStep } from './delivery-step.ts';
import type { LookUpKeys } from './json-columns.ts';
import type { DB, DeliveryAction } from './types.ts';

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

/** Destinations that an article's change concerns: asked for, connected or already carried. */
export async function listConcernedDestinations(db: Kysely<DB>, articleId: string): Promise<DestinationKey[]> {
  const article = await db
    .selectFrom('articles')
    .select(['crossPost', 'authorId', 'status', 'syndicate'])
    .where('id', '=', articleId)
    .executeTakeFirst();
  if (!article) return [];
  const connected = await db
    .selectFrom('connections')
    .select('destination')
    .where('userId', '=', article.authorId)
    .execute();
  const known = await db.selectFrom('deliveries').select('destination').where('articleId', '=', articleId).execute();
  const wanted =
    article.status === 'PUBLISHED' && article.syndicate
      ? connected.map((row) => row.destination).filter((key) => article.crossPost[key])
      : [];
  return [...new Set([...known.map((row) => row.destination), ...wanted])].sort();
}

/**
 * Marks an attempt before anything is sent: from here on a lost worker means "unknown". Answers the attempt's number; null where the row
 * has moved on since it was planned, or an attempt to create is marked already, which only a look-up may settle. The time is
 * the database's, like the one it is compared with.
 */
export async function beginAttempt(
  db: Database,
  deliveryId: string,
  attempt: {
    action: DeliveryAction;
    planned: number;
    connectionId: string;
    hash: string;
    revision: number;
    lookUp: LookUpKeys;
    /** Kept where one identical repeat may serve as the look-up; null elsewhere. */
    payload: unknown;
  },
): Promise<number | null> {
  const row = await db
    .updateTable('deliveries')
    .set((eb) => ({
      state: 'delivering',
      connectionId: attempt.connectionId,
      inFlightAction: attempt.action,
      inFlightAt: sql<Date>`clock_timestamp()`,
      inFlightHash: attempt.hash,
      inFlightRevision: attempt.revision,
      inFlightLookUp: JSON.stringify(attempt.lookUp),
      inFlightPayload: attempt.payload === null ? null : JSON.stringify(attempt.payload),
      inFlightRepeated: false,
      // An update whose end was never recorded may have moved the post's time.
      remoteChangedAt: sql<string | null>`case when in_flight_action = 'update' then null else remote_changed_at end`,
      // Until it is recorded, what the destination carries is not known: neither the old content nor the new.
      deliveredHash: null,
      attempts: eb('attempts', '+', 1),
      nextAttemptAt: null,
      updatedAt: sql<Date>`clock_timestamp()`,
    }))
    .where('id', '=', deliveryId)
    .where('attempts', '=', attempt.planned)
    .where((eb) => eb.or([eb('inFlightAction', 'is', null), eb('inFlightAction', '!=', 'create')]))
    .$if(attempt.action === 'create', (query) => query.where('remoteId', 'is', null))
    .returning('attempts')
    .executeTakeFirst();
  return row?.attempts ?? null;
}

/**
 * Marks that an attempt to create is being sent once more, unchanged. Answers what was sent the first time; null where that was done already,
 * or the first attempt is too long ago for the platform to remember it.
 */
export async function beginRepeat(
  db: Database,
  deliveryId: string,
  repeat: { planned: number; withinMs: number },
): Promise<{ payload: unknown } | null> {
  const row = await db
    .updateTable('deliveries')
    .set({ inFlightRepeated: true, updatedAt: sql<Date>`clock_timestamp()` })
    .where('id', '=', deliveryId)
    .where('attempts', '=', repeat.planned)
    .where('inFlightAction', '=', 'create')
    .where('inFlightRepeated', '=', false)
    .where('inFlightPayload', 'is not', null)
    .where('inFlightAt', '>', sql<Date>`clock_timestamp() - make_interval(secs => ${repeat.withinMs / 1000})`)
    .returning('inFlightPayload as payload')
    .executeTakeFirst();
  return row ?? null;
}

/** Whether the author's remote post belongs to another article already: two articles may have one canonical URL, but not one post. */
export async function isRemotePostTaken(
  db: Kysely<DB>,
  post: { authorId: string; destination: DestinationKey; remoteId: string; exceptDeliveryId: string },
): Promise<boolean> {
  const owner = await db
    .selectFrom('deliveries')
    .innerJoin('articles', 'articles.id', 'deliveries.articleId')
    .select('deliveries.id')
    .where('articles.authorId', '=', post.authorId)
    .where('deliveries.destination', '=', post.destination)
    .where('deliveries.remoteId', '=', post.remoteId)
    .where('deliveries.id', '!=', post.exceptDeliveryId)
    .executeTakeFirst();
  return owner !== undefined;
}

/** Whether the post is one that this delivery had deleted. */
export async function isFormerPost(db: Kysely<DB>, deliveryId: string, remoteId: string): Promise<boolean> {
  const row = await db
    .selectFrom('deliveries')
    .select('id')
    .where('id', '=', deliveryId)
    .where(sql<boolean>`${remoteId} = any (former_remote_ids)`)
    .executeTakeFirst();
  return row !== undefined;
}

/** The ledger of one's own article, for people; empty for anybody else's. */
export function listOwnDeliveries(db: Kysely<DB>, { authorId, articleId }: { authorId: string; articleId: string }) {
  return db
    .selectFrom('deliveries')
    .innerJoin('articles', 'articles.id', 'deliveries.articleId')
    .select(['deliveries.articleId', 'deliveries.destination', 'deliveries.state', 'deliveries.remoteUrl'])
    .select(['deliveries.withdrawnAt', 'deliveries.deliveredRevision', 'deliveries.attempts'])
    .select(['deliveries.lastErrorCode as errorCode', 'deliveries.lastError as error', 'deliveries.nextAttemptAt'])
    .where('articles.id', '=', articleId)
    .where('articles.authorId', '=', authorId)
    .orderBy('deliveries.destination')
    .execute();
}

/** A remote copy that readers find at present. */
export interface Copy {
  destination: DestinationKey;
  remoteUrl: string;
  /** Of the present connection; null where there is none. */
  platform: string | null;
  /** And its credential is not refused. */
  isConnected: boolean;
}

/** The copies of one's own article that are live as far as the ledger knows. */
export function listLiveCopies(
  db: Kysely<DB>,
  { authorId, articleId }: { authorId: string; articleId: string },
): Promise<Copy[]> {
  return db
    .selectFrom('deliveries')
    .innerJoin('articles', 'articles.id', 'deliveries.articleId')
    .leftJoin('connections', (join) =>
      join
        .onRef('connections.userId', '=', 'articles.authorId')
        .onRef('connections.destination', '=', 'deliveries.destination'),
    )
    .select(['deliveries.destination', 'connections.platform'])
    .select(sql<string>`coalesce(deliveries.remote_url, '')`.as('remoteUrl'))
    .select(sql<boolean>`coalesce(connections.status = 'active', false)`.as('isConnected'))
    .where('articles.id', '=', articleId)
    .where('articles.authorId', '=', authorId)
    .where('deliveries.remoteId', 'is not', null)
    .where('deliveries.withdrawnAt', 'is', null)
    .orderBy('deliveries.destination')
    .execute();
}

/** The ledger of an article as its author sees it. */
export function listDeliveries(db: Kysely<DB>, articleId: string) {
  return db
    .selectFrom('deliveries')
    .select(['destination', 'state', 'remoteId', 'remoteUrl', 'deliveredRevision', 'attempts'])
    .select(['lastErrorCode', 'lastError', 'nextAttemptAt', 'withdrawnAt'])
    .where('articleId', '=', articleId)
    .orderBy('destination')
    .execute();
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
