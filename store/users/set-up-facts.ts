/** Reads the facts that complete the set-up of a site by an operator. No progress is stored. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';

export interface SetUpFacts {
  /** A name that differs from the user name, or a bio: a pseudonym may equal the user name. */
  hasName: boolean;
  /** Also true while the destination refuses the credential. */
  hasDestination: boolean;
  hasArticle: boolean;
}

export async function findSetUpFacts(db: Kysely<DB>, userId: string): Promise<SetUpFacts> {
  return db
    .selectFrom('users')
    .select([
      sql<boolean>`name <> username or bio is not null`.as('hasName'),
      sql<boolean>`exists (select from connections where user_id = users.id)`.as('hasDestination'),
      sql<boolean>`exists (select from articles where author_id = users.id and status = 'PUBLISHED')`.as('hasArticle'),
    ])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
}
