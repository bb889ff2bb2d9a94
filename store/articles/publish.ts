/**
 * The publish use case: one transaction that finds or makes the article, gives it its slug and state, and puts it into
 * the outbox. Publishes of one author stand in line behind the author's row, so fifty identical ones leave one article.
 */
import type { Transaction } from 'kysely';
import { buildSlug, isReservedSlug } from '../../article/identity/slug.ts';
import type { ArticleDraft, ArticleStatus, DerivedArticle, Notice } from '../../article/types.ts';
import { createSuspendedError } from '../commands/refused-command.ts';
import type { Database } from '../db/database.ts';
import type { StoredResponse } from '../db/json-columns.ts';
import { isUniqueViolation } from '../db/pg-errors.ts';
import type { DB } from '../db/types.ts';
import { type DestinationFacts, readDestinationFacts } from '../deliveries/destination-facts.ts';
import { type CandidateRow, findExisting } from './candidates.ts';
import { articleColumns, type StateColumns } from './columns.ts';
import { type IdempotencyKey, keepResponse } from './idempotency.ts';
import { noteScheduledDestinations } from './schedule.ts';
import { chooseFreeSlug, isSlugFree, moveSlug } from './slugs.ts';

export interface PublishRequest {
  authorId: string;
  draft: ArticleDraft;
  derived: DerivedArticle;
  /** The document as sent. */
  source: string;
  /** False with `syndicationMode: "local"`. */
  syndicate: boolean;
  /** This site's address, without a trailing slash. */
  baseUrl: string;
  now: Date;
  /** Where the caller holds a claim: its answer is kept in the same transaction. */
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
      // Somebody else took the slug between our look and our write: look again.
      if (attempt < 4 && (error instanceof SlugRaceError || isSlugViolation(error))) continue;
      throw error;
    }
  }
}

async function publishInTransaction(tx: Transaction<DB>, request: PublishRequest): Promise<PublishResult> {
  const { draft, now } = request;
  const author = await tx
    .selectFrom('users')
    .select('suspendedAt')
    .where('id', '=', request.authorId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!author || author.suspendedAt !== null) throw createSuspendedError();

  const wantedSlug = draft.slug ?? buildSlug(draft.title);
  const { existing, redirected } = await findExisting(tx, request, wantedSlug);
  const state = decideState(draft, existing, now);
  const warnings: Notice[] = [...state.warnings];
  const article = existing
    ? await updateArticle(tx, existing, request, state, warnings)
    : await createArticle(tx, request, state, { slug: wantedSlug, redirected }, warnings);

  if (article.status === 'SCHEDULED') await noteScheduledDestinations(tx, article.id, draft.scheduledZone);
  const { scheduledZone } = draft;
  const result: PublishResult = {
    action: existing ? 'updated' : 'created',
    article: { ...article, scheduledZone: article.status === 'SCHEDULED' ? scheduledZone : null },
    warnings,
    destinations: await readDestinationFacts(tx, request, { ...article, isNew: existing === null }),
  };
  if (request.idempotency) await keepResponse(tx, request.idempotency.key, request.idempotency.respond(result));
  return result;
}

type Existing = CandidateRow;

interface State extends StateColumns {
  warnings: Notice[];
}

function decideState(draft: ArticleDraft, existing: Existing | null, now: Date): State {
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

/** The wanted slug is taken in the insert itself where it is free, which it mostly is: looking first would cost every publish a round trip. */
async function createArticle(
  tx: Transaction<DB>,
  request: PublishRequest,
  state: State,
  wanted: { slug: string; redirected: boolean },
  warnings: Notice[],
) {
  const { slug: given } = request.draft;
  const isOpen = !wanted.redirected && !isReservedSlug(wanted.slug);
  const first = isOpen ? await insertArticle(tx, request, state, wanted.slug) : undefined;
  if (first) return first;
  const slug = await chooseFreeSlug(tx, wanted.slug);
  if (given !== null) warnings.push(slugTaken(given, slug));
  const second = await insertArticle(tx, request, state, slug);
  if (!second) throw new SlugRaceError(slug);
  return second;
}

/** Another author took the slug between our look and our insert. */
class SlugRaceError extends Error {}

function isSlugViolation(error: unknown): boolean {
  return isUniqueViolation(error, 'articles_slug_key') || isUniqueViolation(error, 'slug_redirects_pkey');
}

async function decideSlug(
  tx: Transaction<DB>,
  { slug: given }: ArticleDraft,
  existing: Existing,
  warnings: Notice[],
): Promise<string> {
  if (given === null || given === existing.slug) return existing.slug;
  if (!(await isSlugFree(tx, given, existing.id))) {
    warnings.push(slugTaken(given, existing.slug));
    return existing.slug;
  }
  // An address that never was public was promised to nobody.
  if (existing.publishedAt !== null) await moveSlug(tx, { articleId: existing.id, from: existing.slug, to: given });
  return given;
}

function slugTaken(wanted: string, got: string): Notice {
  return { code: 'slug_taken', path: 'slug', message: `The slug "${wanted}" is taken; the article is at "${got}".` };
}

const SAVED = ['id', 'slug', 'status', 'scheduledAt', 'revision'] as const;

/** Article and outbox row in one statement: a publish waits for each round trip. Undefined where the slug is taken. A new draft has nobody to tell. */
async function insertArticle(tx: Transaction<DB>, request: PublishRequest, state: State, slug: string) {
  const { authorId, now } = request;
  const saved = tx.with('saved', (db) =>
    db
      .insertInto('articles')
      .values({ ...articleColumns(request, state, slug), authorId, createdAt: now, updatedAt: now })
      .onConflict((conflict) => conflict.column('slug').doNothing())
      .returning(SAVED),
  );
  if (state.status === 'DRAFT') return saved.selectFrom('saved').select(SAVED).executeTakeFirst();
  return saved
    .with('told', (db) =>
      db.insertInto('outbox').columns(['articleId']).expression(db.selectFrom('saved').select('id')),
    )
    .selectFrom('saved')
    .select(SAVED)
    .executeTakeFirst();
}

async function updateArticle(
  tx: Transaction<DB>,
  existing: Existing,
  request: PublishRequest,
  state: State,
  warnings: Notice[],
) {
  const slug = await decideSlug(tx, request.draft, existing, warnings);
  const { fingerprint, externalId, givenSlug, ...rest } = articleColumns(request, state, slug);
  const { now } = request;
  const keys = {
    // What was given once stays known: a later publish without it is still this article. Its own id is no external one.
    ...(externalId !== null && externalId !== existing.id ? { externalId } : {}),
    ...(givenSlug !== null ? { givenSlug } : {}),
  };
  const changed = !fingerprint.equals(existing.fingerprint);
  return tx
    .with('saved', (db) =>
      db
        .updateTable('articles')
        .set((eb) => ({
          ...keys,
          ...(changed
            ? { ...rest, fingerprint, deletedAt: null, revision: eb('revision', '+', 1), updatedAt: now }
            : { syndicate: rest.syndicate, imported: false }),
          dispatch: eb('dispatch', '+', 1),
          dispatchedAt: now,
        }))
        .where('id', '=', existing.id)
        .returning(SAVED),
    )
    .with('told', (db) =>
      db.insertInto('outbox').columns(['articleId']).expression(db.selectFrom('saved').select('id')),
    )
    .selectFrom('saved')
    .select(SAVED)
    .executeTakeFirstOrThrow();
}
