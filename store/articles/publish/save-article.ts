/** Writes the article of a publish, new or changed, at a slug that is free; in the same statement its outbox row, and the author's bytes. */
import { type QueryCreator, type Selectable, sql, type Transaction } from 'kysely';
import { isReservedSlug } from '../../../article/identity/slug.ts';
import type { ArticleDraft, Notice } from '../../../article/types.ts';
import { isUniqueViolation } from '../../db/pg-errors.ts';
import type { DB } from '../../db/types.ts';
import { buildArticleColumns, type ColumnSources, type StateColumns } from './article-columns.ts';
import type { CandidateRow } from './find-existing.ts';
import { chooseFreeSlug, isSlugFree, moveSlug } from './slugs.ts';

export interface ArticleInput extends ColumnSources {
  authorId: string;
  now: Date;
}

export interface ArticleChange {
  state: StateColumns;
  /** Whether it is put into the outbox. */
  wakesActor: boolean;
  /** By which its document is longer than it was. */
  moreBytes: number;
}

/** Inserts at the wanted slug without looking first: it is mostly free, and a look would cost every publish a round trip. */
export async function createArticle(
  tx: Transaction<DB>,
  input: ArticleInput,
  change: ArticleChange,
  wanted: { slug: string; redirected: boolean },
  warnings: Notice[],
) {
  const { slug: given } = input.draft;
  const isOpen = !wanted.redirected && !isReservedSlug(wanted.slug);
  const first = isOpen ? await insertArticle(tx, input, change, wanted.slug) : undefined;
  if (first) return first;
  const slug = await chooseFreeSlug(tx, wanted.slug);
  if (given !== null) warnings.push(describeTakenSlug(given, slug));
  const second = await insertArticle(tx, input, change, slug);
  if (!second) throw new SlugRaceError(slug);
  return second;
}

export async function updateArticle(
  tx: Transaction<DB>,
  existing: CandidateRow,
  input: ArticleInput,
  change: ArticleChange,
  warnings: Notice[],
) {
  const slug = await decideSlug(tx, input.draft, existing, warnings);
  const { fingerprint, externalId, givenSlug, ...rest } = buildArticleColumns(input, change.state, slug);
  const { now } = input;
  const keys = {
    // What was given once stays known: a later publish without it is still this article. Its own id is no external one.
    ...(externalId !== null && externalId !== existing.id ? { externalId } : {}),
    ...(givenSlug !== null ? { givenSlug } : {}),
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
  return isUniqueViolation(error, 'articles_slug_key') || isUniqueViolation(error, 'slug_redirects_pkey');
}

class SlugRaceError extends Error {}

const SAVED = ['id', 'slug', 'status', 'scheduledAt', 'revision'] as const;

/** One statement, since a publish waits for each round trip. Undefined where the slug is taken. */
async function insertArticle(tx: Transaction<DB>, input: ArticleInput, change: ArticleChange, slug: string) {
  const { authorId, now } = input;
  const saved = tx.with('saved', (db) =>
    db
      .insertInto('articles')
      .values({ ...buildArticleColumns(input, change.state, slug), authorId, createdAt: now, updatedAt: now })
      .onConflict((conflict) => conflict.column('slug').doNothing())
      .returning([...SAVED, 'authorId']),
  );
  return follow(saved, change).executeTakeFirst();
}

type Saved = Pick<Selectable<DB['articles']>, (typeof SAVED)[number] | 'authorId'>;

/** What is written with an article, if it is written. */
function follow(saved: QueryCreator<DB & { saved: Saved }>, { wakesActor, moreBytes }: ArticleChange) {
  const counted = saved.with('counted', (db) =>
    db
      .updateTable('users')
      .set({ storedBytes: sql<number>`stored_bytes + ${moreBytes}` })
      .where('id', 'in', db.selectFrom('saved').select('authorId'))
      .where(sql<boolean>`${moreBytes !== 0}`),
  );
  const enqueued = counted.with('enqueued', (db) =>
    db
      .insertInto('outbox')
      .columns(['articleId'])
      .expression(db.selectFrom('saved').select('id').where(sql<boolean>`${wakesActor}`)),
  );
  return enqueued.selectFrom('saved').select(SAVED);
}

async function decideSlug(
  tx: Transaction<DB>,
  { slug: given }: ArticleDraft,
  existing: CandidateRow,
  warnings: Notice[],
): Promise<string> {
  if (given === null || given === existing.slug) return existing.slug;
  if (!(await isSlugFree(tx, given, existing.id))) {
    warnings.push(describeTakenSlug(given, existing.slug));
    return existing.slug;
  }
  // An address that was never public needs no redirect: nobody can have linked to it.
  if (existing.publishedAt !== null) await moveSlug(tx, { articleId: existing.id, from: existing.slug, to: given });
  return given;
}

function describeTakenSlug(wanted: string, got: string): Notice {
  // Not whether it is the site's own or somebody's, whose article may be a draft.
  return {
    code: 'slug_taken',
    path: 'slug',
    message: `The slug "${wanted}" is not available; the article is at "${got}".`,
  };
}
