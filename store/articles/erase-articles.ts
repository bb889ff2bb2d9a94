/** What is left of an article that its author takes back for good: the address, which answers 410, and the ledger of its remote copies. */
import { sql, type Transaction } from 'kysely';
import type { DB } from '../db/types.ts';

/** The text, and what is derived from it. */
export const NO_TEXT = {
  source: '',
  body: '',
  derived: '{}',
  derivedVersion: 0,
  contentHash: '',
  excerpt: null,
  subtitle: null,
  coverImage: null,
  category: null,
  tags: [] as string[],
  // Publishing the same document again must count as a change.
  fingerprint: Buffer.alloc(0),
};

/**
 * All articles of an author whose account is deleted: nobody can bring them back, so what they were known by goes too. Those that something
 * waits for (a schedule, a delivery) are put into the outbox, behind what people wait for, so that their workflows see that nothing is left.
 * A delivery in a pause is told itself: another publish would not shorten that, and a command does.
 */
export async function eraseArticlesOf(tx: Transaction<DB>, authorId: string, now: Date): Promise<void> {
  await sql`
    insert into outbox (article_id, may_wait) select a.id, true from articles a
    where a.author_id = ${authorId} and (a.status <> 'DRAFT' or exists (select from deliveries d where d.article_id = a.id))`.execute(
    tx,
  );
  await sql`
    insert into outbox (article_id, destination, may_wait) select a.id, d.destination, true
    from articles a join deliveries d on d.article_id = a.id
    where a.author_id = ${authorId} and d.due_at is not null`.execute(tx);
  await tx
    .updateTable('articles')
    .set((eb) => ({
      ...NO_TEXT,
      ...NO_NAMES,
      canonicalKey: sql`'self:' || slug`,
      status: 'DRAFT',
      deletedAt: eb.fn.coalesce('deletedAt', eb.val(now)),
      revision: eb('revision', '+', 1),
      dispatch: eb('dispatch', '+', 1),
      dispatchedAt: now,
      updatedAt: now,
    }))
    .where('authorId', '=', authorId)
    .execute();
  await sql`delete from article_notices n using articles a where a.id = n.article_id and a.author_id = ${authorId}`.execute(
    tx,
  );
}

const NO_NAMES = {
  title: '',
  titleKey: '',
  externalId: null,
  givenSlug: null,
  givenCanonicalUrl: null,
  sourceRepository: null,
  sourcePath: null,
  baseUrl: null,
  seriesId: null,
  partOf: null,
  partPosition: null,
  scheduledAt: null,
  scheduledZone: null,
  scheduledLocal: null,
  scheduledDestinations: null,
};
