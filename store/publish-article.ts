/**
 * The publish use case: one transaction that finds or makes the article, gives it its slug and state, and puts it into
 * the outbox. Publishes of one author stand in line behind the author's row, so fifty identical ones leave one article.
 */
import { createHash } from 'node:crypto';
import type { Transaction } from 'kysely';
import { slugFromTitle } from '../article/slug.ts';
import type { ArticleDraft, ArticleStatus, DerivedArticle, Notice } from '../article/types.ts';
import { matchArticle, titleKey, wantedKeys } from './article-match.ts';
import { chooseFreeSlug, isSlugFree, moveSlug } from './article-slugs.ts';
import { canonicalKeyOf, ownKey } from './canonical-key.ts';
import type { Database } from './database.ts';
import { type IdempotencyKey, keepResponse } from './idempotency.ts';
import type { StoredResponse } from './json-columns.ts';
import { isUniqueViolation } from './pg-errors.ts';
import { publishWarnings } from './publish-warnings.ts';
import type { DB } from './types.ts';

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
  article: { id: string; slug: string; status: ArticleStatus; scheduledAt: Date | null; revision: number };
  warnings: Notice[];
}

export class AuthorSuspendedError extends Error {}

export async function publishArticle(db: Database, request: PublishRequest): Promise<PublishResult> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute((tx) => publishInTransaction(tx, request));
    } catch (error) {
      // Another author took the slug between our look and our insert: look again.
      if (attempt < 4 && isUniqueViolation(error, 'articles_slug_key')) continue;
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
  if (!author || author.suspendedAt !== null) throw new AuthorSuspendedError();

  const existing = await findExisting(tx, request);
  const state = decideState(draft, existing, now);
  const warnings: Notice[] = [...state.warnings];
  const slug = await decideSlug(tx, draft, existing, warnings);
  const columns = articleColumns(request, state, slug);

  const article = existing
    ? await updateArticle(tx, existing, columns, now)
    : await insertArticle(tx, request.authorId, columns, now);

  warnings.push(...(await publishWarnings(tx, { ...request, status: state.status, existing })));
  const result: PublishResult = { action: existing ? 'updated' : 'created', article, warnings };
  if (request.idempotency) await keepResponse(tx, request.idempotency.key, request.idempotency.respond(result));
  return result;
}

type Existing = NonNullable<Awaited<ReturnType<typeof findExisting>>>;

async function findExisting(tx: Transaction<DB>, { authorId, draft, baseUrl }: PublishRequest) {
  const canonicalKey = draft.canonicalUrl === null ? null : canonicalKeyOf(draft.canonicalUrl, baseUrl);
  const wanted = wantedKeys(draft, canonicalKey);
  const candidates = await tx
    .selectFrom('articles')
    .select([
      'id',
      'externalId',
      'slug',
      'givenSlug',
      'titleKey',
      'givenCanonicalUrl',
      'canonicalKey',
      'status',
      'revision',
      'fingerprint',
      'publishedAt',
    ])
    .where('authorId', '=', authorId)
    .where((eb) =>
      eb.or([
        eb('titleKey', '=', wanted.titleKey),
        ...(wanted.externalId === null ? [] : [eb('externalId', '=', wanted.externalId)]),
        ...(wanted.externalId !== null && UUID.test(wanted.externalId) ? [eb('id', '=', wanted.externalId)] : []),
        ...(wanted.slug === null ? [] : [eb('slug', '=', wanted.slug), eb('givenSlug', '=', wanted.slug)]),
        ...(canonicalKey === null ? [] : [eb('canonicalKey', '=', canonicalKey)]),
      ]),
    )
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  return matchArticle(wanted, candidates);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

interface State {
  status: ArticleStatus;
  scheduledAt: Date | null;
  publishedAt: Date | null;
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

async function decideSlug(
  tx: Transaction<DB>,
  draft: ArticleDraft,
  existing: Existing | null,
  warnings: Notice[],
): Promise<string> {
  const taken = (got: string) =>
    warnings.push({
      code: 'slug_taken',
      path: 'slug',
      message: `The slug "${draft.slug}" is taken; the article is at "${got}".`,
    });
  if (!existing) {
    const slug = await chooseFreeSlug(tx, draft.slug ?? slugFromTitle(draft.title));
    if (draft.slug !== null && slug !== draft.slug) taken(slug);
    return slug;
  }
  if (draft.slug === null || draft.slug === existing.slug) return existing.slug;
  if (!(await isSlugFree(tx, draft.slug, existing.id))) {
    taken(existing.slug);
    return existing.slug;
  }
  await moveSlug(tx, { articleId: existing.id, from: existing.slug, to: draft.slug });
  return draft.slug;
}

type Columns = ReturnType<typeof articleColumns>;

function articleColumns({ draft, derived, source, syndicate, baseUrl }: PublishRequest, state: State, slug: string) {
  const { crossPost, crossPostNamed: _, externalId, canonicalUrl, slug: givenSlug, ...fields } = draft;
  const givenKey = canonicalUrl === null ? null : canonicalKeyOf(canonicalUrl, baseUrl);
  const columns = {
    externalId,
    slug,
    givenSlug,
    title: fields.title,
    titleKey: titleKey(fields.title),
    subtitle: fields.subtitle,
    excerpt: fields.excerpt,
    tags: fields.tags,
    givenCanonicalUrl: canonicalUrl,
    canonicalKey: givenKey ?? ownKey(slug),
    baseUrl: fields.baseUrl,
    category: fields.category,
    coverImage: fields.coverImage,
    generateToc: fields.generateToc,
    commentsEnabled: fields.commentsEnabled,
    crossPost: JSON.stringify(crossPost),
    seriesId: fields.seriesId,
    status: state.status,
    scheduledAt: state.scheduledAt,
    publishedAt: state.publishedAt,
    syndicate,
    imported: false,
    body: fields.body,
  };
  const { publishedAt: _at, syndicate: _syndicate, externalId: _id, ...said } = columns;
  const fingerprint = createHash('sha256').update(JSON.stringify(said)).digest();
  return { ...columns, source, derived: JSON.stringify(derived), contentHash: derived.contentHash, fingerprint };
}

const SAVED = ['id', 'slug', 'status', 'scheduledAt', 'revision'] as const;

/** Article and outbox row in one statement: a publish waits for each round trip. A new draft has nobody to tell. */
async function insertArticle(tx: Transaction<DB>, authorId: string, columns: Columns, now: Date) {
  const saved = tx.with('saved', (db) =>
    db
      .insertInto('articles')
      .values({ ...columns, authorId, createdAt: now, updatedAt: now })
      .returning(SAVED),
  );
  if (columns.status === 'DRAFT') return saved.selectFrom('saved').select(SAVED).executeTakeFirstOrThrow();
  return saved
    .with('told', (db) =>
      db.insertInto('outbox').columns(['articleId']).expression(db.selectFrom('saved').select('id')),
    )
    .selectFrom('saved')
    .select(SAVED)
    .executeTakeFirstOrThrow();
}

async function updateArticle(tx: Transaction<DB>, existing: Existing, columns: Columns, now: Date) {
  const { fingerprint, externalId, givenSlug, ...rest } = columns;
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
            ? { ...rest, fingerprint, revision: eb('revision', '+', 1), updatedAt: now }
            : { syndicate: rest.syndicate, imported: false }),
          dispatch: eb('dispatch', '+', 1),
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
