/**
 * What agents may do with a text, as its author says of one article or of all; and, apart from the large `derived`, what catalogues say of an
 * article: 500 of them are read at once. Frozen once released; imports no application code.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  'alter table users add column content_signal text',
  `comment on column users.content_signal is 'What agents may do with the texts of this author, as in Content-Signal; null where nothing is said'`,

  // The columns that are generated make the table be written anew: once, and all of them together.
  `alter table articles
    add column content_signal text,
    add column abstract text generated always as (derived ->> 'excerpt') stored,
    add column topic_signals jsonb generated always as (derived -> 'topicSignals') stored`,
  `comment on column articles.content_signal is 'What agents may do with this text, as its document says; null where it says nothing'`,
  `comment on column articles.abstract is 'The excerpt, the author''s or the one that was derived'`,
  `comment on column articles.topic_signals is 'Null until the article is derived'`,
];
