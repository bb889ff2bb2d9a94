/** Writes the article of a publish, new or changed, at a slug that is free; in the same statement its outbox row, and the author's bytes. */
import { type QueryCreator, type Selectable, sql, type Transaction } from 'kysely';
import type { ArticleDraft, Notice } from '../../../article/types.ts';
import { isUniqueViolation } from '../../db/pg-errors.ts';
import { prepareOnce } from '../../db/prepared.ts';
import type { TripTransaction } from '../../db/trips.ts';
import type { DB } from '../../db/types.ts';
import type { ActorsToWake } from '../../outbox/choose-actors.ts';
import { buildArticleColumns, type ColumnSources, type StateColumns } from './article-columns.ts';
import type { CandidateRow } from './find-existing.ts';
import type { KeptResponse } from './idempotency.ts';
import { chooseFreeSlug, isSlugFree } from './slugs.ts';

export interface ArticleInput extends ColumnSources {
  authorId: string;
  now: Date;
}

export interface ArticleChange {
  state: StateColumns;
  /** Who hears of it, by way of the outbox. */
  wakes: ActorsToWake;
  /** Of the request, for the outbox; null where nobody traces it. */
  traceparent: string | null;
  /** By which its document is longer than it was. */
  moreBytes: number;
}

export type SavedArticle = Pick<Selectable<DB['articles']>, (typeof SAVED)[number]>;

/**
 * Inserts without looking first whether the slug is taken: it is mostly free, and a look would cost every publish a round trip. Where it is
 * taken nothing is written, the transaction is over, and what is thrown is a slug race.
 */
export async function insertAndCommit(
  { tx, commitWith }: TripTransaction,
  input: ArticleInput,
  change: ArticleChange,
  { id, slug }: { id: string; slug: string },
  kept: KeptResponse | null,
): Promise<void> {
  const columns = { id, ...buildColumns(input, change.state, slug) };
  const { wakes, traceparent, moreBytes } = change;
  const answer = {
    userId: kept?.userId ?? null,
    key: kept?.key ?? null,
    response: kept && JSON.stringify(kept.response),
  };
  const [[saved]] = await commitWith(insertWithAll(tx, { ...columns, wakes, traceparent, moreBytes, ...answer }));
  if (!saved) throw new SlugRaceError(slug);
}

type Insertion = NewColumns &
  Omit<ArticleChange, 'state'> & { userId: string | null; key: string | null; response: string | null };

/** The article, what is written with it, and the answer for its key, which is part of the statement even where there is none: its text stays the same. */
const insertWithAll = prepareOnce(
  'insert_article',
  (db, { wakes, traceparent, moreBytes, userId, key, response, ...columns }: Insertion) =>
    followingStatements(insertArticle(db, columns), { wakes, traceparent, moreBytes })
      .with('kept', (rows) =>
        rows
          .updateTable('idempotencyKeys')
          .set({ response })
          .where('userId', '=', userId)
          .where('key', '=', key)
          .where(({ exists }) => exists(rows.selectFrom('saved').select('id'))),
      )
      .selectFrom('saved')
      .select(SAVED)
      .compile(),
);

/** Inserts at the wanted slug if it is free, else at one like it. */
export async function createArticle(
  tx: Transaction<DB>,
  input: ArticleInput,
  change: ArticleChange,
  wantedSlug: string,
  warnings: Notice[],
): Promise<SavedArticle> {
  const { slug: given } = input.draft;
  const slug = await chooseFreeSlug(tx, wantedSlug);
  if (given !== null && slug !== wantedSlug) warnings.push(describeTakenSlug(given, slug));
  const saved = await follow(insertArticle(tx, buildColumns(input, change.state, slug)), change).executeTakeFirst();
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
    // What was given once stays known: a later publish without it is still this article. Its own id is no external one.
    ...(externalId !== null && externalId !== existing.id ? { externalId } : {}),
    ...(givenSlug !== null ? { givenSlug } : {}),
    // A publish without a source, such as at the desk, keeps the stored one.
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
      .returning([...SAVED, 'authorId']),
  );
  // A document that differs in nothing but its spelling is not kept.
  return follow(saved, changed ? change : { ...change, moreBytes: 0 }).executeTakeFirstOrThrow();
}

/** Whether another author took the slug between our look and our write, so that looking again may succeed. */
export function isSlugRace(error: unknown): boolean {
  if (error instanceof SlugRaceError) return true;
  return isUniqueViolation(error, 'articles_slug_key');
}

class SlugRaceError extends Error {}

const SAVED = ['id', 'slug', 'status', 'scheduledAt'] as const;

type NewColumns = ReturnType<typeof buildColumns> & { id?: string };

function buildColumns(input: ArticleInput, state: StateColumns, slug: string) {
  const { authorId, now } = input;
  return { ...buildArticleColumns(input, state, slug), authorId, createdAt: now, updatedAt: now };
}

/** Nothing where the slug is taken. */
function insertArticle(tx: QueryCreator<DB>, columns: NewColumns) {
  return tx.with('saved', (db) =>
    db
      .insertInto('articles')
      .values(columns)
      .onConflict((conflict) => conflict.column('slug').doNothing())
      .returning([...SAVED, 'authorId']),
  );
}

type Saved = SavedArticle & { authorId: string };

/** What is written with an article, if it is written: in one statement, since a publish waits for each round trip. */
function follow(saved: QueryCreator<DB & { saved: Saved }>, change: ArticleChange) {
  return followingStatements(saved, change).selectFrom('saved').select(SAVED);
}

function followingStatements(
  saved: QueryCreator<DB & { saved: Saved }>,
  { wakes, traceparent, moreBytes }: Omit<ArticleChange, 'state'>,
) {
  return saved
    .with('counted', (db) =>
      db
        .updateTable('users')
        .set({ storedBytes: sql<number>`stored_bytes + ${moreBytes}` })
        .where('id', 'in', db.selectFrom('saved').select('authorId'))
        .where(sql<boolean>`${moreBytes}::bigint <> 0`),
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
  { slug: given }: ArticleDraft,
  existing: CandidateRow,
  warnings: Notice[],
): Promise<string> {
  if (given === null || given === existing.slug) return existing.slug;
  if (await isSlugFree(tx, given, existing.id)) return given;
  warnings.push(describeTakenSlug(given, existing.slug));
  return existing.slug;
}

function describeTakenSlug(wanted: string, got: string): Notice {
  // Not whether it is the site's own or somebody's, whose article may be a draft.
  return {
    code: 'slug_taken',
    path: 'slug',
    message: `The slug "${wanted}" is not available; the article is at "${got}".`,
  };
}
