/**
 * What follows the answer to a publish: by which version of the renderer an article was derived, and how many bytes of documents an author
 * has. Frozen once released; imports no application code.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  // What is there was derived whole before its publish was answered: readers are shown it until a newer version comes to it.
  'alter table articles add column derived_version integer not null default 1',
  'alter table articles alter column derived_version set default 0',
  `comment on column articles.derived_version is '0: only what the answer to the publish needed; else the renderer''s version, with colours and description'`,
  'alter table articles add column derived_at timestamptz',
  `comment on column articles.derived_at is 'When derived was made last; null where that was before its publish was answered, or not yet'`,
  `create index articles_derived_version_idx on articles (derived_version) where status <> 'DRAFT'`,

  'alter table users add column stored_bytes bigint not null default 0',
  `comment on column users.stored_bytes is 'Of the documents as sent: the sum of octet_length(articles.source). Written under the lock on this row'`,
  `update users set stored_bytes = stored from (select author_id, sum(octet_length(source)) as stored from articles group by author_id) a
    where a.author_id = users.id`,
];
