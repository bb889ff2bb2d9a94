/** Writes the article of a publish at a free slug, with outbox row and the author's byte count. */
import { type QueryCreator, type Selectable, sql, type Transaction } from 'kysely';
import type { ArticleDraft, Notice } from '../../../article/types.ts';
import { isUniqueViolation } from '../../db/pg-errors.ts';
import { prepareOnce } from '../../db/prepared.ts';
import type { TripTransaction } from '../../db/trips.ts';
import type { DB } from '../../db/types.ts';
import type { WorkflowsToWake } from '../../outbox/enqueue.ts';
import { buildArticleColumns, type ColumnSources, type StateColumns } from './article-columns.ts';
import type { CandidateRow } from './find-existing.ts';
import type { KeyedResponse } from './idempotency.ts';
import { chooseFreeSlug, isSlugFree } from './slugs.ts';

export interface ArticleInput extends ColumnSources {
  authorId: string;
  now: Date;
}

export interface ArticleChange {
  state: StateColumns;
  /** Workflows that the outbox signals. */
  wakes: WorkflowsToWake;
  /** Trace context of the request, for the outbox; null if it is not traced. */
  traceparent: string | null;
  /** New size of the document minus its old size. */
  addedBytes: number;
}

export type SavedArticle = Pick<Selectable<DB['articles']>, (typeof SAVED_COLUMNS)[number]>;

/** Throws a slug race if the slug is taken: a check first would cost every publish a round trip. */
export async function insertAndCommit(
  { tx, commitWith }: TripTransaction,
  input: ArticleInput,
  change: ArticleChange,
  { id, slug }: { id: string; slug: string },
  keyResponse: KeyedResponse | null,
): Promise<void> {
  const columns = { id, ...buildColumns(input, change.state, slug) };
  const { wakes, traceparent, addedBytes } = change;
  const keyColumns = {
    userId: keyResponse?.userId ?? null,
    key: keyResponse?.key ?? null,
    response: keyResponse && JSON.stringify(keyResponse.response),
  };
  const [[saved]] = await commitWith(insertWithAll(tx, { ...columns, wakes, traceparent, addedBytes, ...keyColumns }));
  if (!saved) throw new SlugRaceError(slug);
}

type Insertion = NewColumns &
  Omit<ArticleChange, 'state'> & { userId: string | null; key: string | null; response: string | null };

/** The statement always updates the key, even without one, so that its text is constant. */
const insertWithAll = prepareOnce(
  'insert_article',
  (db, { wakes, traceparent, addedBytes, userId, key, response, ...columns }: Insertion) =>
    addFollowUpStatements(insertArticle(db, columns), { wakes, traceparent, addedBytes })
      .with('kept', (rows) =>
        rows
          .updateTable('idempotencyKeys')
          .set({ response })
          .where('userId', '=', userId)
          .where('key', '=', key)
          .where(({ exists }) => exists(rows.selectFrom('saved').select('id'))),
      )
      .selectFrom('saved')
      .select(SAVED_COLUMNS)
      .compile(),
);

/** Inserts at the wanted slug if it is free, else at a variant of it. */
export async function createArticle(
  tx: Transaction<DB>,
  input: ArticleInput,
  change: ArticleChange,
  wantedSlug: string,
  warnings: Notice[],
): Promise<SavedArticle> {
  const { slug: givenSlug } = input.draft;
  const slug = await chooseFreeSlug(tx, wantedSlug);
  if (givenSlug !== null && slug !== wantedSlug) warnings.push(describeTakenSlug(givenSlug, slug));
  const inserted = insertArticle(tx, buildColumns(input, change.state, slug));
  const saved = await addFollowUps(inserted, change).executeTakeFirst();
  if (!saved) throw new SlugRaceError(slug);
  return saved;
}

export async function updateArticle(
  tx: Transaction<DB>,
  existing: CandidateRow,
  input: ArticleInput,
  change: ArticleChange,
  warnings: Notice[],
) {
  const slug = await decideSlug(tx, input.draft, existing, warnings);
  const columns = buildArticleColumns(input, change.state, slug);
  const { fingerprint, externalId, givenSlug, sourceRepository, sourcePath, ...rest } = columns;
  const { now } = input;
  const keys = {
    // A publish without an external id keeps the stored one. An article's own id is not an external
    // id.
    ...(externalId !== null && externalId !== existing.id ? { externalId } : {}),
    ...(givenSlug !== null ? { givenSlug } : {}),
    // A publish without a source, such as from the desk, keeps the stored one.
    ...(sourcePath !== null ? { sourceRepository, sourcePath } : {}),
  };
  const changed = !fingerprint.equals(existing.fingerprint);
  const saved = tx.with('saved', (db) =>
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
      .returning([...SAVED_COLUMNS, 'authorId']),
  );
  // A document with an equal fingerprint is not stored, so the byte count stays.
  return addFollowUps(saved, changed ? change : { ...change, addedBytes: 0 }).executeTakeFirstOrThrow();
}

/** Whether another author took the slug between check and write; a retry can succeed. */
export function isSlugRace(error: unknown): boolean {
  if (error instanceof SlugRaceError) return true;
  return isUniqueViolation(error, 'articles_slug_key');
}

class SlugRaceError extends Error {}

const SAVED_COLUMNS = ['id', 'slug', 'status', 'scheduledAt'] as const;

type NewColumns = ReturnType<typeof buildColumns> & { id?: string };

function buildColumns(input: ArticleInput, state: StateColumns, slug: string) {
  const { authorId, now } = input;
  return { ...buildArticleColumns(input, state, slug), authorId, createdAt: now, updatedAt: now };
}

/** Writes nothing if the slug is taken. */
function insertArticle(tx: QueryCreator<DB>, columns: NewColumns) {
  return tx.with('saved', (db) =>
    db
      .insertInto('articles')
      .values(columns)
      .onConflict((conflict) => conflict.column('slug').doNothing())
      .returning([...SAVED_COLUMNS, 'authorId']),
  );
}

type Saved = SavedArticle & { authorId: string };

/** Follow-up writes in the article's own statement, since a publish waits for each round trip. */
function addFollowUps(saved: QueryCreator<DB & { saved: Saved }>, change: ArticleChange) {
  return addFollowUpStatements(saved, change).selectFrom('saved').select(SAVED_COLUMNS);
}

function addFollowUpStatements(
  saved: QueryCreator<DB & { saved: Saved }>,
  { wakes, traceparent, addedBytes }: Omit<ArticleChange, 'state'>,
) {
  return saved
    .with('counted', (db) =>
      db
        .updateTable('users')
        .set({ storedBytes: sql<number>`stored_bytes + ${addedBytes}` })
        .where('id', 'in', db.selectFrom('saved').select('authorId'))
        .where(sql<boolean>`${addedBytes}::bigint <> 0`),
    )
    .with('enqueued', (db) =>
      db
        .insertInto('outbox')
        .columns(['articleId', 'traceparent', 'wakesArticle'])
        .expression(
          db
            .selectFrom('saved')
            .select(['id', sql<string | null>`${traceparent}::text`.as('traceparent')])
            .select(sql<boolean>`${wakes}::text = 'article'`.as('wakesArticle'))
            .where(sql<boolean>`${wakes}::text <> 'none'`),
        ),
    );
}

async function decideSlug(
  tx: Transaction<DB>,
  { slug: givenSlug }: ArticleDraft,
  existing: CandidateRow,
  warnings: Notice[],
): Promise<string> {
  if (givenSlug === null || givenSlug === existing.slug) return existing.slug;
  if (await isSlugFree(tx, givenSlug, existing.id)) return givenSlug;
  warnings.push(describeTakenSlug(givenSlug, existing.slug));
  return existing.slug;
}

function describeTakenSlug(wanted: string, actual: string): Notice {
  // Does not reveal whether the slug is reserved or belongs to an article, which may be a draft.
  return {
    code: 'slug_taken',
    path: 'slug',
    message: `The slug "${wanted}" is not available; the article has the slug "${actual}".`,
  };
}
